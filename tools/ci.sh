#!/usr/bin/env bash
# What `make ci` runs, one part after the other, all of them whatever fails:
#
#   lint      formatting, house rules, debts, clang-tidy over what changed lately            tools/lint.sh
#   test      every test, under Address and UB sanitizer                                     tools/run_tests.sh
#   release   the executable as it is shipped
#   tsan      crawls whose lanes are threads, under ThreadSanitizer                          tools/tsan.sh
#   fuzz      half a minute for each of the parsers that meet the most hostile bytes         tools/fuzz.sh
#             (always with the same seed: this judges a change, and is no search; that is `make fuzz`)
#
# `tools/ci.sh full` has besides what does not fit into 45 minutes on two processors (CONTRIBUTING.md tells how long each
# takes): clang-tidy and a compilation without precompiled headers over all sources, every fuzz target, the whole fault
# campaign, the benchmark.
#
# A part for which no time is left, or that the machine cannot run, is counted as skipped and says why. The last line
# counts the tests, with each other part as one: "N passed, N failed, N skipped".
set -uo pipefail
cd "$(dirname "$0")/.."

jobs=$(nproc)
budget=$((${CI_MINUTES:-80} * 60))  # no part begins that could not end by then
[ "${1:-}" = full ] && budget=$((100 * 3600))
logs=build/ci
mkdir -p "$logs"
passed=0 failed=0 skipped=0
table=()
# At a terminal Ctrl-C has to reach the part; elsewhere all that a part has started ends with it.
timeout_options=(--kill-after=30)
[ -t 0 ] && timeout_options+=(--foreground)

# part NAME MINUTES COMMAND…: MINUTES is the most that it may take, on a slow machine.
part() {
  local name=$1 minutes=$2 began=$SECONDS status
  shift 2
  if [ $((SECONDS + minutes * 60)) -gt $budget ] && [ "$name" != test ]; then
    skipped=$((skipped + 1))
    table+=("$(printf '%-8s skipped: it may take %d minutes, and %d are left' "$name" "$minutes" $(((budget - SECONDS) / 60)))")
    return
  fi
  echo "=== $name: $*"
  timeout "${timeout_options[@]}" "${minutes}m" "$@" 2>&1 | tee "$logs/$name.log"
  status=${PIPESTATUS[0]}
  local took=$((SECONDS - began)) result
  case $status in
    0) result=passed ;;
    77) result="skipped: $(tail -1 "$logs/$name.log")" ;;
    124 | 137) result="FAILED: not done after $minutes minutes" ;;
    *) result="FAILED with status $status" ;;
  esac
  table+=("$(printf '%-8s %3d:%02d  %s' "$name" $((took / 60)) $((took % 60)) "$result")")
  local count
  if count=$(grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$logs/$name.log" | tail -1) && [ -n "$count" ]; then
    local p f s
    read -r p f s < <(sed -E 's/[^0-9]+/ /g' <<< "$count")
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    # Tests that all passed, in a part that did not.
    [ "$status" -ne 0 ] && [ "$f" -eq 0 ] && failed=$((failed + 1))
  elif [ "$status" -eq 0 ]; then
    passed=$((passed + 1))
  elif [ "$status" -eq 77 ]; then
    skipped=$((skipped + 1))
  else
    failed=$((failed + 1))
  fi
}

release() {
  cmake --preset release > /dev/null && cmake --build --preset release -j "$jobs" --target caddis && build/release/caddis --version
}
compile_alone() {
  cmake --preset dev -B build/lint -DCADDIS_PCH=OFF > /dev/null && cmake --build build/lint -j "$jobs" -- -k 0
}
export -f release compile_alone
export jobs

tools/setup.sh || { echo "the packages of tools/packages.txt could not be installed"; echo "0 passed, 1 failed, 0 skipped"; exit 1; }
if [ "${1:-}" = full ]; then
  part lint 240 env LINT_ALL=1 tools/lint.sh
  part test 240 tools/run_tests.sh
  part release 240 bash -c release
  part alone 240 bash -c compile_alone
  part tsan 240 tools/tsan.sh threads_test aio_test http_test store_test io_test
  part fuzz 240 tools/fuzz.sh 60 ALL
  part faults 1440 make faults
  part bench 1440 make bench BENCH_FLAGS=--verify
else
  part lint 15 tools/lint.sh
  part test 60 tools/run_tests.sh
  part release 20 bash -c release
  part tsan 15 tools/tsan.sh
  part fuzz 12 env FUZZ_SEED=1 tools/fuzz.sh 30
fi

echo "=== parts"
printf '%s\n' "${table[@]}"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
