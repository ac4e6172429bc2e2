#!/usr/bin/env bash
# Runs tests whose code is at work on several threads under ThreadSanitizer (preset tsan):
#
#   tools/tsan.sh [TEST…]      io_test and aio_test
#
# Exit status 1 where anything was found, 77 where ThreadSanitizer cannot run on this machine.
set -uo pipefail
cd "$(dirname "$0")/.."

tests=("$@")
[ ${#tests[@]} -gt 0 ] || tests=(io_test aio_test)

# It wants addresses of its own, which some kernels and sandboxes do not give.
probe=$(mktemp -d)
trap 'rm -rf "$probe"' EXIT
echo 'int main() { return 0; }' > "$probe/probe.cc"
clang++-19 -fsanitize=thread "$probe/probe.cc" -o "$probe/probe" || exit 1
if ! "$probe/probe" > "$probe/log" 2>&1; then
  cat "$probe/log"
  echo "ThreadSanitizer cannot run here: $(grep -m1 FATAL "$probe/log" || echo "a program that does nothing fails")"
  exit 77
fi

cmake --preset tsan > /dev/null || exit 1
cmake --build --preset tsan -j "$(nproc)" --target "${tests[@]}" || { echo "the build failed"; exit 1; }
TSAN_SYMBOLIZER_PATH=$(command -v llvm-symbolizer-19)
export TSAN_OPTIONS="external_symbolizer_path=$TSAN_SYMBOLIZER_PATH:second_deadlock_stack=1:suppressions=$PWD/tools/tsan.supp"
export CADDIS_SOURCE_DIR=$PWD
failed=0
for test in "${tests[@]}"; do
  "$(find build/tsan -type f -name "$test" -perm -u+x | head -1)" --gtest_brief=1 || { echo "tsan: $test FAILED"; failed=1; }
done
[ $failed -eq 0 ] && echo "tsan: ${tests[*]}: nothing found"
exit $failed
