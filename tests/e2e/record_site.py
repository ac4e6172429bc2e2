"""A small live web on loopback for `caddis record`: plain and with TLS, with what browsers meet: forms, ranges, large and slow
bodies, WebSockets, and answers that end too early. Everything that is sent is made from nothing, so a test can tell it again.
"""

import base64
import hashlib
import http.server
import pathlib
import socketserver
import ssl
import subprocess
import threading

import png

PAGE = b"""<!doctype html><html lang="en"><title>A page</title><link rel="stylesheet" href="/style.css">
<h1>Live</h1><img src="/picture.png" alt="" width="120" height="60"><p id="said"></p>
<script>fetch('/form', {method: 'POST', headers: {'Content-Type': 'application/x-www-form-urlencoded'}, body: 'name=browser'})
.then(answer => answer.text()).then(text => { document.getElementById('said').textContent = text; document.title = 'ready'; });
</script></html>
"""
STYLE = b"body { font: 20px monospace; background: #fed; } h1 { color: #357; }"


def large(size, seed=b"x"):
    """Bytes that nothing packs."""
    out, number = bytearray(), 0
    while len(out) < size:
        out += hashlib.sha512(seed + str(number).encode()).digest() * 16
        number += 1
    return bytes(out[:size])


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, body, kind="text/html", status=200, **fields):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def do_HEAD(self):
        self.do_GET()

    def do_GET(self):
        site, path = self.server.site, self.path.split("?")[0]
        site.seen.append((self.command, self.path, dict(self.headers)))
        if path in site.fixed:
            kind, body = site.fixed[path]
            return self.answer(body, kind, Set_Cookie="sid=secret", Alt_Svc='h3=":443"', ETag='"1"')
        if path == "/large":
            return self.ranges(site.large)
        if path == "/slow":
            return self.slow()
        if path == "/endless":
            return self.endless()
        if path == "/cut":
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b"half")
            self.close_connection = True
            return None
        if path == "/MOVED":  # to a URL of the same key
            return self.answer(b"", status=301, Location="/moved")
        if path == "/ws":
            return self.websocket()
        return self.answer(b"not here", status=404)

    def do_POST(self):
        self.take_body()

    def do_PUT(self):
        self.take_body()

    def take_body(self):
        digest, left = hashlib.sha1(), int(self.headers["Content-Length"])
        first = b""
        while left:
            piece = self.rfile.read(min(left, 1 << 16))
            first = first or piece
            digest.update(piece)
            left -= len(piece)
        self.server.site.seen.append((self.command, self.path, dict(self.headers)))
        self.answer(b"got " + (first if len(first) < 100 else digest.hexdigest().encode()), "text/plain")

    def ranges(self, body):
        wanted = self.headers["Range"]
        if not wanted:
            return self.answer(body, "application/octet-stream", Accept_Ranges="bytes")
        begin, end = (int(part) for part in wanted.removeprefix("bytes=").split("-"))
        return self.answer(body[begin:end + 1], "application/octet-stream", 206, Content_Range=f"bytes {begin}-{end}/{len(body)}")

    def slow(self):
        """The second half comes when the test says so."""
        site = self.server.site
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.write(b"5\r\nfirst\r\n")
        site.go_on.wait(60)
        self.wfile.write(b"6\r\nsecond\r\n0\r\n\r\n")

    def endless(self):
        self.send_response(200)
        self.send_header("Content-Type", "application/octet-stream")
        self.end_headers()
        self.close_connection = True
        try:
            while True:
                self.wfile.write(b"\0" * (1 << 16))
        except OSError:
            self.server.site.was_left.set()

    def websocket(self):
        """Says back what it is told, whatever the frames mean."""
        key = self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        accept = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
        self.wfile.write(f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                         f"Sec-WebSocket-Accept: {accept}\r\n\r\nhello".encode())
        while piece := self.connection.recv(4096):
            self.connection.sendall(piece)
        self.close_connection = True


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 100

    def handle_error(self, *_):
        pass


class LiveSite:
    """The site at `http://localhost:PORT`, and with TLS (`certificate`, of nobody who is known) at `https://localhost:PORT`."""

    def __init__(self, folder, size=1 << 20):
        self.seen, self.large = [], large(size)
        self.go_on, self.was_left = threading.Event(), threading.Event()
        self.fixed = {"/": ("text/html", PAGE), "/style.css": ("text/css", STYLE),
                      "/picture.png": ("image/png", png.encode(120, 60, (200, 80, 40))), "/copy.css": ("text/css", STYLE)}
        key, certificate = pathlib.Path(folder) / "site-key.pem", pathlib.Path(folder) / "site.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate],
                       check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.certificate = certificate
        self.servers = [Server(("127.0.0.1", 0), Handler), Server(("127.0.0.1", 0), Handler)]
        self.servers[1].socket = context.wrap_socket(self.servers[1].socket, server_side=True, do_handshake_on_connect=False)
        for server in self.servers:
            server.site = self
            threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        self.plain, self.tls = (f"{scheme}://localhost:{server.server_address[1]}"
                                for scheme, server in zip(("http", "https"), self.servers))

    def stop(self):
        self.go_on.set()
        for server in self.servers:
            server.shutdown()
            server.server_close()
