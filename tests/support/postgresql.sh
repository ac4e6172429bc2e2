#!/usr/bin/env bash
# Starts a PostgreSQL server of its own for a test, on a Unix socket in a folder of its own, and prints its address.
# It ends with the process whose number is given: tests/support/postgresql.sh PID
#
# If the server's programs are not there, it prints "missing: " and why.
set -euo pipefail
owner=$1
bin=$(ls -d /usr/lib/postgresql/*/bin 2> /dev/null | sort -V | tail -1 || true)
if [ -z "$bin" ] || [ ! -x "$bin/initdb" ]; then
  echo "missing: the package postgresql is not installed"
  exit 0
fi
folder=$(mktemp -d /tmp/caddis-postgresql.XXXXXX)
as() { "$@"; }
if [ "$(id -u)" = 0 ]; then
  # The server refuses to be run by root.
  if ! id postgres > /dev/null 2>&1; then
    echo "missing: there is no user postgres to run the server"
    rm -rf "$folder"
    exit 0
  fi
  chown postgres "$folder"
  as() { setpriv --reuid postgres --regid postgres --clear-groups -- "$@"; }
fi
cd "$folder"
{
  as "$bin/initdb" -D "$folder/data" -U caddis -A trust -E UTF8 --locale=C --no-sync
  as "$bin/pg_ctl" -D "$folder/data" -w -l "$folder/log" \
    -o "-c listen_addresses='' -c unix_socket_directories='$folder' -c fsync=off -c max_connections=60" start
} > "$folder/start.log" 2>&1 || { echo "missing: the server did not start: $(tail -1 "$folder/start.log")"; rm -rf "$folder"; exit 0; }
echo "postgresql:///postgres?host=$folder&user=caddis"
exec > /dev/null 2>&1 < /dev/null
(
  tail --pid="$owner" -f /dev/null
  as "$bin/pg_ctl" -D "$folder/data" -m immediate stop
  rm -rf "$folder"
) &
