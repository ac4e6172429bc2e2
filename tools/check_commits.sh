#!/usr/bin/env bash
# Subjects of commits have at most 72 characters, and a commit says why in its body. What is not upstream yet can be
# mended, and fails; what is, is only named.
#
#   tools/check_commits.sh                the commits since the rule began
#   tools/check_commits.sh --message FILE one message: as the hook commit-msg (make hooks)
set -uo pipefail
cd "$(dirname "$0")/.."
readonly kMost=72
readonly kSince=2026-11-22T15:00:00Z

if [ "${1:-}" = --message ]; then
  subject=$(grep -v '^#' "$2" | head -1)
  case $subject in Merge\ * | fixup!* | squash!*) exit 0 ;; esac
  [ ${#subject} -le $kMost ] && exit 0
  echo "the subject has ${#subject} characters, $kMost are the most: $subject" >&2
  exit 1
fi

git rev-parse HEAD > /dev/null 2>&1 || exit 0
failed=0
upstream=$(git merge-base HEAD '@{upstream}' 2> /dev/null || git rev-parse HEAD)
while IFS=$'\t' read -r commit subject; do
  [ ${#subject} -le $kMost ] && continue
  if git merge-base --is-ancestor "$commit" "$upstream"; then
    echo "note: the subject of ${commit:0:9} has ${#subject} characters"
  else
    echo "${commit:0:9}: its subject has ${#subject} characters, $kMost are the most: $subject"
    failed=1
  fi
done < <(git log --no-merges --since="$kSince" -n 200 --format='%H%x09%s')
exit $failed
