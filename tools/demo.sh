#!/usr/bin/env bash
# Crawls real web sites and serves the archive.
#
#   make demo                                          documentation that Debian packages carry, from nginx on loopback
#   make demo URL=https://example.org/ CONTACT=…       a site of your choice: politely, at most 200 documents or 5 minutes
#   DEMO_SERVE=0   ends after the crawl                DEMO_DIR=…   where the archive goes (default: ./demo-archive)
#   DEMO_PORT=…    port of the documentation sites     DEMO_LISTEN=…  where to browse (default: 127.0.0.1:8080)
set -euo pipefail
cd "$(dirname "$0")/.."

caddis=build/release/caddis
archive=${DEMO_DIR:-demo-archive}
listen=${DEMO_LISTEN:-127.0.0.1:8080}
work=$(mktemp -d)
nginx_pid=
clean_up() {
  [ -n "$nginx_pid" ] && kill "$nginx_pid" 2> /dev/null && wait "$nginx_pid" 2> /dev/null
  rm -rf "$work"
}
trap clean_up EXIT

free_port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# One server for each site, under a host name of its own: names below .localhost are this machine (RFC 6761).
start_nginx() {
  local port=$1 config=$work/nginx.conf
  cat > "$config" << EOF
worker_processes 1;
worker_rlimit_nofile 4096;
daemon off;
pid $work/nginx.pid;
error_log $work/error.log;
events { worker_connections 1024; }
http {
  include /etc/nginx/mime.types;
  default_type application/octet-stream;
  access_log off;
  client_body_temp_path $work; proxy_temp_path $work; fastcgi_temp_path $work; uwsgi_temp_path $work; scgi_temp_path $work;
  keepalive_requests 1000000;
  server { listen 127.0.0.1:$port; server_name python.localhost; root /usr/share/doc/python3.11/html; }
  server { listen 127.0.0.1:$port; server_name git.localhost; root /usr/share/doc/git-doc; index git.html; }
  server { listen 127.0.0.1:$port; server_name libstdcxx.localhost; root /usr/share/doc/gcc-12-base/libstdc++; }
}
EOF
  nginx -p "$work" -c "$config" 2> "$work/startup.log" &
  nginx_pid=$!
  for _ in $(seq 100); do
    (exec 3<> "/dev/tcp/127.0.0.1/$port") 2> /dev/null && return
    kill -0 "$nginx_pid" 2> /dev/null || { cat "$work/startup.log" >&2; echo "demo: nginx did not start" >&2; exit 1; }
    sleep 0.1
  done
  echo "demo: nginx does not answer on port $port" >&2
  exit 1
}

code=0
if [ -n "${URL:-}" ]; then
  "$caddis" crawl "$URL" --collection "$archive" ${CONTACT:+--contact "$CONTACT"} --max-documents 200 --max-time 5m || code=$?
else
  port=${DEMO_PORT:-$(free_port)}
  start_nginx "$port"
  "$caddis" crawl "http://python.localhost:$port/" "http://git.localhost:$port/" "http://libstdcxx.localhost:$port/" \
    --collection "$archive" --delay 0 || code=$?
fi
# 3: a limit was reached, which is what the limits of the demo are for.
[ "$code" -eq 0 ] || [ "$code" -eq 3 ] || exit "$code"

if [ "${DEMO_SERVE:-1}" = 0 ]; then
  echo "The archive is in $archive. Browse it with: $caddis serve $archive"
  exit 0
fi
echo "Browse the archive at http://$listen/ (Ctrl-C ends it)"
"$caddis" serve "$archive" --listen "$listen"
