#!/usr/bin/env bash
# Formatting, house rules, debts, commit subjects, clang-tidy. clang-tidy takes three seconds a file: it looks at what differs
# from the upstream branch, or else at what the latest commits changed, 80 files at most; LINT_ALL=1 is for every source.
# Nothing here sees a precompiled header: a source that does not name what it includes fails.
set -uo pipefail
cd "$(dirname "$0")/.."
failed=0

git ls-files '*.h' '*.cc' | xargs clang-format-19 --dry-run -Werror || { echo "lint: run 'make format'"; failed=1; }
python3 -B tools/check_layers.py || failed=1
python3 -B tools/check_debts.py || failed=1
tools/check_commits.sh || failed=1

changed() { git diff --name-only "$1" -- 'src/*.cc' 'apps/*.cc' 'bench/*.cc' | grep -vE '_(test|bench|fuzz)\.cc$' | xargs -r ls -t 2> /dev/null; }
if [ -n "${LINT_ALL:-}" ]; then
  mapfile -t sources < <(git ls-files 'src/*.cc' 'apps/*.cc' 'bench/*.cc' | grep -vE '_(test|bench|fuzz)\.cc$')
else
  sources=()
  base=$(git merge-base HEAD '@{upstream}' 2> /dev/null) && mapfile -t sources < <(changed "$base" | head -80)
  if [ ${#sources[@]} -eq 0 ]; then
    base=$(git rev-list --first-parent -n 11 HEAD 2> /dev/null | tail -1)
    [ -n "$base" ] && mapfile -t sources < <(changed "$base" | head -80)
  fi
fi
if [ ${#sources[@]} -gt 0 ]; then
  cmake --preset dev -B build/lint -DCADDIS_PCH=OFF > /dev/null || exit 1
  echo "lint: clang-tidy over ${#sources[@]} files"
  printf '%s\n' "${sources[@]}" | xargs -P "$(nproc)" -n 2 clang-tidy-19 -p build/lint --quiet 2> /dev/null || failed=1
fi
[ $failed -eq 0 ] && echo "lint: clean"
exit $failed
