#!/usr/bin/env bash
# Crawls synthetic pages of 20 KB with 60 links each from nginx on loopback, over 64 host names on addresses of their own, delays
# off; prints pages a second and processor time a page, and the same for GNU wget on a part of the pages.
#
#   tools/bench_crawl.sh [PAGES]        100000 by default; needs a release build (make build)
#   PERF=1 tools/bench_crawl.sh         records a profile with perf into build/bench-crawl.perf
set -euo pipefail
cd "$(dirname "$0")/.."

pages=${1:-100000}
hosts=64
each=$(((pages + hosts - 1) / hosts))
caddis=$PWD/build/release/caddis
work=$(mktemp -d)
trap 'kill "$nginx_pid" 2> /dev/null; wait 2> /dev/null; rm -rf "$work"' EXIT
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')

# All hosts give out the same files: what differs is the URL.
python3 - "$work" "$each" "$hosts" "$port" << 'EOF'
import os, random, sys
work, each, hosts, port = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
chance = random.Random(1)
words = "archive crawl capture record frontier seed memento harvest index replay stream larva net web page link host".split()
os.mkdir(work + "/site")
for page in range(each):
    targets = [(page + 1) % each] + [chance.randrange(each) for _ in range(59)]
    parts = [f"<!doctype html><html><head><meta charset=utf-8><title>Page {page}</title></head><body>"]
    for target in targets:
        text = " ".join(chance.choice(words) for _ in range(40))
        parts.append(f'<p class="c{target % 7}">{text} <a href="p{target}.html" title="to {target}">page {target}</a></p>\n')
    parts.append("</body></html>")
    text = "".join(parts)
    with open(f"{work}/site/p{page}.html", "w") as out:
        out.write(text + "<!-- " + "x" * max(0, 20480 - len(text) - 9) + " -->")
with open(work + "/crawl.yaml", "w") as out:
    out.write("dns:\n  hosts: [" + ", ".join(f'"h{i}.bench=127.0.{i + 1}.1"' for i in range(hosts)) + "]\n")
    out.write("crawl:\n  contact: bench@localhost\n  seeds: [" + ", ".join(f'"http://h{i}.bench:{port}/p0.html"' for i in range(hosts)) + "]\n")
EOF
cat > "$work/nginx.conf" << EOF
worker_processes 1; worker_rlimit_nofile 8192; daemon off; pid $work/nginx.pid; error_log $work/error.log;
events { worker_connections 4096; }
http {
  include /etc/nginx/mime.types; access_log off; keepalive_requests 100000000; sendfile on; tcp_nodelay on;
  client_body_temp_path $work; proxy_temp_path $work; fastcgi_temp_path $work; uwsgi_temp_path $work; scgi_temp_path $work;
  server { listen $port backlog=4096; root $work/site; }
}
EOF
nginx -p "$work" -c "$work/nginx.conf" 2> /dev/null &
nginx_pid=$!
for _ in $(seq 100); do (exec 3<> "/dev/tcp/127.0.0.1/$port") 2> /dev/null && break; sleep 0.1; done

measure() {  # NAME PAGES COMMAND…: CPU and wall time of the command for so many pages
  local name=$1 count=$2
  shift 2
  python3 - "$name" "$count" "$@" << 'EOF'
import os, resource, subprocess, sys, time
name, count, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
began = time.monotonic()
code = subprocess.call(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
wall = time.monotonic() - began
used = resource.getrusage(resource.RUSAGE_CHILDREN)
cpu = used.ru_utime + used.ru_stime
print(f"{name}: {count} pages, {wall:.1f} s, {count / wall:.0f} pages/s, {cpu / count * 1e6:.0f} us CPU a page "
      f"(user {used.ru_utime / count * 1e6:.0f}, system {used.ru_stime / count * 1e6:.0f}), peak {used.ru_maxrss / 1024:.0f} MB, exit {code}")
EOF
}

profile=()
[ -n "${PERF:-}" ] && profile=(perf record -q -e cpu-clock -g -o build/bench-crawl.perf --)
measure caddis "$((each * hosts))" "${profile[@]}" "$caddis" crawl --config "$work/crawl.yaml" --collection "$work/collection" --delay 0 --robots ignore
echo "captured: $(awk '$2 == 200' "$work"/collection/crawls/*/logs/crawl.log | wc -l) documents"
"$caddis" warc check "$work"/collection/archive/*.warc.gz | tail -1

mkdir "$work/wget"
measure wget "$each" sh -c "cd '$work/wget' && exec wget --quiet --recursive --level=inf --page-requisites --no-parent -e robots=off --warc-file=wget 'http://127.0.1.1:$port/p0.html'"
