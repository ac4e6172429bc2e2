#!/bin/bash
# dist.sh : makes build/caddis-VERSION.tar.gz of what is committed, with the file COMMIT, by which a build without git knows
# its commit, and with what was built of the web pages, so that nobody needs Node for them. The same commit gives the same
# bytes, but for those pages.
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(sed -n 's/^project(caddis VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
grep -q "\"$version\"" src/caddis/base/version.h || { echo "dist: CMakeLists.txt and src/caddis/base/version.h name different versions" >&2; exit 1; }
[ -z "$(git status --porcelain --untracked-files=no)" ] || echo "dist: there are changes that are not committed; they are left out" >&2
name=caddis-$version
mkdir -p build
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git archive --prefix="$name/" HEAD | tar -x -C "$work"
git rev-parse --short=10 HEAD > "$work/$name/COMMIT"
for pages in web/*/dist; do
  [ -d "$pages" ] && mkdir -p "$work/$name/$pages" && cp -r "$pages/." "$work/$name/$pages/"
done
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="$(git log -1 --format=%cI)" -c "$name" | gzip -9n > "build/$name.tar.gz"
echo "build/$name.tar.gz"
