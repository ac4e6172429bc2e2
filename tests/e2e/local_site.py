"""A web site of known content, served by nginx on loopback under four host names below .localhost (RFC 6761).

    with LocalSite(pages=400, rate=8) as site:
        crawl(site.seeds); compare(site.captures)

`captures` maps every URL that a whole crawl captures to (status, body), robots.txt included; `log` has all URLs of crawl.log.
"""

import pathlib
import random
import shutil
import socket
import subprocess
import tempfile
import time

HOSTS = ["alpha.localhost", "beta.localhost", "gamma.localhost", "delta.localhost"]

SERVER = """
  server {{
    listen 127.0.0.1:{port}; server_name {host}; root {root};
    {gzip}
    error_page 404 /404.html; error_page 503 /503.html;
    location = /404.html {{ internal; }}
    location = /503.html {{ internal; }}
    location = /robots.txt {{ }}
    location = /moved {{ return 302 http://$http_host/landed.html; }}
    location = /down {{ return 503; }}
    location / {{ {limit} }}
  }}"""

CONFIG = """
worker_processes 1;
daemon off;
pid {work}/nginx.pid;
error_log {work}/error.log;
events {{ worker_connections 512; }}
http {{
  default_type application/octet-stream;
  types {{ text/html html; text/plain txt; text/css css; text/javascript js; application/json json; image/png png; }}
  log_format times '$msec $request_time $host $uri';
  access_log {work}/access.log times;
  client_body_temp_path {work}; proxy_temp_path {work}; fastcgi_temp_path {work}; uwsgi_temp_path {work}; scgi_temp_path {work};
  keepalive_requests 1000000;
  absolute_redirect off;
  {zone}
  {servers}
}}
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start_nginx(work, port, servers, zone=""):
    """An nginx that listens on `port`, with these server blocks and all its files in the folder `work`."""
    config = work / "nginx.conf"
    config.write_text(CONFIG.format(work=work, servers=servers, zone=zone))
    server = subprocess.Popen(["nginx", "-p", work, "-c", config], stderr=subprocess.DEVNULL)
    for _ in range(300):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return server
        if server.poll() is not None:
            break
        time.sleep(0.05)
    raise RuntimeError("nginx did not start: " + (work / "error.log").read_text())


class LocalSite:
    def __init__(self, pages=400, rate=0, image=3_000):
        """`pages` in all; at most `rate` of them a second from each host (0: as fast as it goes); bytes of an image."""
        self.per_host, self.rate, self.image = pages // len(HOSTS), rate, image
        self.captures, self.log = {}, {}

    def __enter__(self):
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="caddis-site-"))
        self.work.chmod(0o755)
        self.port = free_port()
        for number, host in enumerate(HOSTS):
            self._write_host(number, host)
        self._start()
        return self

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait()
        shutil.rmtree(self.work)

    @property
    def seeds(self):
        return [self.url(host, "/p0.html") for host in HOSTS]

    def url(self, host, path):
        return f"http://{host}:{self.port}{path}"

    def requests(self):
        """(begin, end, host) in seconds of every request that was answered, by their begin."""
        lines = [line.split(" ", 3) for line in (self.work / "access.log").read_text().splitlines()]
        return sorted((float(end) - float(took), float(end), host) for end, took, host, _ in lines)

    def _add(self, host, path, body, status=200, file=None):
        target = self.work / host / (file or path.lstrip("/"))
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(body)
        self.captures[self.url(host, path)] = (status, body)

    def _write_host(self, number, host):
        count, noise = self.per_host, random.Random(number)
        for page in range(count):
            links = [f"/p{child}.html" for child in (2 * page + 1, 2 * page + 2) if child < count]
            links += [f"/p{page // 2}.html", self.url(HOSTS[(number + 1) % len(HOSTS)], f"/p{page}.html")]
            if page == 1:
                links += ["/private/secret.html", "/missing.html", "/moved", "/down", "http://outside.localhost:1/"]
            words = " ".join(noise.choice(["caddis", "larva", "stream", "net", "drift"]) for _ in range(page * 7 % 900))
            embed = f'<img src="/i{page}.png">' if page % 10 == 0 else ""
            body = f"<html><head><title>{host} {page}</title></head><body>{embed}{words}" + "".join(
                f'<a href="{link}">link</a>\n' for link in links) + "</body></html>"
            self._add(host, f"/p{page}.html", body.encode())
            if page % 10 == 0:
                self._add(host, f"/i{page}.png", noise.randbytes(200_000 if page == 20 else self.image))
        self._add(host, "/missing.html", b"<html>not here</html>", 404, "404.html")
        # Every site is asked for its icon.
        self.captures[self.url(host, "/favicon.ico")] = (404, b"<html>not here</html>")
        self._add(host, "/down", b"<html>down</html>", 503, "503.html")
        self._add(host, "/landed.html", b"<html>landed</html>")
        self.captures[self.url(host, "/moved")] = (302, None)
        if number == 1:
            self.captures[self.url(host, "/robots.txt")] = (404, b"<html>not here</html>")
        else:
            self._add(host, "/robots.txt", b"User-agent: *\nDisallow: /private/\n")
        forbidden = number != 1
        if not forbidden:
            self.captures[self.url(host, "/private/secret.html")] = (404, b"<html>not here</html>")
        for url, (status, _) in self.captures.items():
            self.log[url] = status
        self.log["dns:" + host] = 1
        if forbidden:
            self.log[self.url(host, "/private/secret.html")] = -9998

    def _start(self):
        limit = "limit_req zone=calm burst=1000;" if self.rate else ""
        zone = f"limit_req_zone $host zone=calm:1m rate={self.rate}r/s;" if self.rate else ""
        # What nginx compresses on its way has no length: it comes in chunks.
        servers = "".join(
            SERVER.format(host=host, port=self.port, root=self.work / host, limit=limit,
                          gzip="gzip on; gzip_min_length 1;" if number % 2 == 0 else "")
            for number, host in enumerate(HOSTS))
        self.server = start_nginx(self.work, self.port, servers, zone)
