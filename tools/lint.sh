#!/usr/bin/env bash
# Formatting, house rules, clang-tidy. LINT_ALL=1 runs clang-tidy over every source, otherwise over what differs from the
# upstream branch (all of it where there is none).
set -uo pipefail
cd "$(dirname "$0")/.."
failed=0

git ls-files '*.h' '*.cc' | xargs clang-format-19 --dry-run -Werror || { echo "lint: run 'make format'"; failed=1; }
python3 tools/check_layers.py || failed=1

cmake --preset dev > /dev/null || exit 1
mapfile -t sources < <(git ls-files 'src/*.cc' 'apps/*.cc' 'bench/*.cc' | grep -vE '_(test|bench|fuzz)\.cc$')
if [ -z "${LINT_ALL:-}" ] && base=$(git merge-base HEAD '@{upstream}' 2>/dev/null); then
  mapfile -t sources < <(git diff --name-only "$base" -- 'src/*.cc' 'apps/*.cc' 'bench/*.cc' | grep -vE '_(test|bench|fuzz)\.cc$' | xargs -r ls 2>/dev/null)
fi
if [ ${#sources[@]} -gt 0 ]; then
  printf '%s\n' "${sources[@]}" | xargs -P "$(nproc)" -n 4 clang-tidy-19 -p build/dev --quiet 2>/dev/null || failed=1
fi
[ $failed -eq 0 ] && echo "lint: clean"
exit $failed
