#!/usr/bin/env bash
# Builds the pages of web/engine into a folder: tools/build_web.sh FOLDER
#
# Node and what package-lock.json names are fetched by `make setup`, or here by npm if they are missing. If neither can be
# had, web/dist/engine is taken, which a release has; without that, a page that says so stands in for them.
set -euo pipefail
out=$1
cd "$(dirname "$0")/.."
web=web/engine
mkdir -p "$out"

has_packages() { [ -e $web/node_modules/.package-lock.json ] && [ ! $web/package-lock.json -nt $web/node_modules/.package-lock.json ]; }

fetch_packages() {
  command -v npm > /dev/null || return 1
  (cd $web && npm ci --no-audit --no-fund --loglevel=error --fetch-retries=1 --fetch-timeout=30000) > "$out/npm.log" 2>&1 || return 1
  touch $web/node_modules/.package-lock.json
}

if command -v node > /dev/null && { has_packages || fetch_packages; }; then
  exec node $web/build.mjs "$out"
fi
if [ -e web/dist/engine/app.js ]; then
  cp web/dist/engine/{index.html,app.js,app.js.gz,app.css,app.css.gz} "$out/"
  exit 0
fi
echo "warning: the web pages are not built: Node 18 and npm with a network are needed for it (make setup)" >&2
cat > "$out/index.html" << 'PAGE'
<!doctype html>
<html lang="en" data-mode="engine">
<meta charset="utf-8">
<title>Caddis</title>
<h1>The pages are not in this build</h1>
<p>It was made without Node. The commands do the same: <code>caddis job --help</code>, <code>caddis status --help</code>.</p>
</html>
PAGE
for name in app.js app.css; do
  echo "/* not built */" > "$out/$name"
  gzip -9nc "$out/$name" > "$out/$name.gz"
done
