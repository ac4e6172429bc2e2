#!/usr/bin/env bash
# Installs what building, testing and running Caddis needs: Debian's packages, and what the web pages are built with, by npm.
# Does nothing where all of it is there.
set -euo pipefail
cd "$(dirname "$0")/.."

mapfile -t packages < <(sed -E 's/#.*//; /^[[:space:]]*$/d; s/[[:space:]]+//g' tools/packages.txt)
missing=()
for entry in "${packages[@]}"; do
  # "package:command" is satisfied by the command, wherever it comes from.
  package=${entry%%:*}
  if [ "$entry" != "$package" ] && command -v "${entry#*:}" > /dev/null; then continue; fi
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
install_packages() {
  echo "installing ${#missing[@]} packages: ${missing[*]}"
  sudo=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo > /dev/null || { echo "setup: run 'make setup' as root, or install sudo" >&2; exit 1; }
    sudo=(sudo)
  fi
  export DEBIAN_FRONTEND=noninteractive
  "${sudo[@]}" apt-get update -qq
  # A package that brings a service along (nginx) must not start it: Caddis starts its own, on loopback.
  "${sudo[@]}" env RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" > /dev/null
}
[ ${#missing[@]} -eq 0 ] || install_packages

# Without a network a build does without the pages (tools/build_web.sh).
if [ -e web/engine/package-lock.json ] && [ ! web/engine/node_modules/.package-lock.json -nt web/engine/package-lock.json ]; then
  echo "fetching what the web pages are built with"
  (cd web/engine && npm ci --no-audit --no-fund --loglevel=error --fetch-retries=1 --fetch-timeout=30000) && touch web/engine/node_modules/.package-lock.json ||
    echo "setup: npm could not fetch it; the web pages are left out of builds" >&2
fi
