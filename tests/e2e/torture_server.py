"""A server that misbehaves in every way that has a name: each case answers under a host of its own, byte for byte as it says.

    with TortureServer(CASES) as server:
        crawl(server.seeds)
        server.heard["short-length"]     # what was asked of that case: [Heard(path, head, sent), …]

A host `NAME.localhost` is the case NAME, on one port in plain, on another with TLS (cases with `tls`). A case may answer robots.txt itself;
otherwise there is none (404), and this is no part of what was heard.
"""

import collections
import dataclasses
import pathlib
import socket
import ssl
import struct
import subprocess
import tempfile
import threading

import torture_http2

NO_ROBOTS = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


@dataclasses.dataclass
class Heard:
    """A request, and what was sent for it until the connection ended."""
    path: str
    head: bytes
    sent: bytearray
    whole: bool = True  # False: the client left before all was sent

    def field(self, name):
        for line in self.head.split(b"\r\n")[1:]:
            key, _, value = line.partition(b":")
            if key.strip().lower() == name.lower().encode():
                return value.strip().decode("latin-1")
        return None


class Peer:
    """The connection of one request: what a case sends through it is remembered."""

    def __init__(self, connection, heard):
        self.connection, self.heard = connection, heard

    def send(self, data, times=1):
        """Sends that so many times; remembers up to 4 MB of it. Returns False if the client has left."""
        for _ in range(times):
            try:
                self.connection.sendall(data)
            except OSError:
                self.heard.whole = False
                return False
            if len(self.heard.sent) < 4_000_000:
                self.heard.sent += data
        return True

    def wait_for_end(self):
        """Sends nothing until the client has left."""
        try:
            while self.connection.recv(4096):
                pass
        except OSError:
            pass

    def drip(self, data, pause):
        """Sends that byte by byte, over and over, until the client leaves."""
        gone = threading.Event()
        while True:
            for byte in data:
                if not self.send(bytes([byte])) or gone.wait(pause):
                    return

    def reset(self):
        """Ends the connection with RST."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    # What a server does where TLS is expected.
    BEFORE_TLS = {"garbage": lambda connection: connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\nThis is not TLS."),
                  "silence": lambda connection: Peer(connection, None).wait_for_end(),
                  "hang-up": lambda connection: None}

    @property
    def base(self):
        return f"http://{self.heard.field('host')}"


class TortureServer:
    def __init__(self, cases):
        self.cases = {case.name: case for case in cases}
        self.heard = collections.defaultdict(list)
        self.robots = collections.defaultdict(list)
        self.lock = threading.Lock()
        self.open = set()

    def __enter__(self):
        self.work = tempfile.TemporaryDirectory(prefix="caddis-torture-")
        self.plain, self.secure = self.listen(), self.listen()
        self.port, self.tls_port = self.plain.getsockname()[1], self.secure.getsockname()[1]
        self.certificates = Certificates(pathlib.Path(self.work.name))
        for listener, is_tls in ((self.plain, False), (self.secure, True)):
            threading.Thread(target=self.accept, args=(listener, is_tls), daemon=True).start()
        return self

    def __exit__(self, *_):
        for listener in (self.plain, self.secure):
            listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        with self.lock:
            for connection in self.open:
                try:
                    connection.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
        self.work.cleanup()

    @staticmethod
    def listen():
        return socket.create_server(("127.0.0.1", 0), backlog=1024)

    @property
    def seeds(self):
        return [self.url(case.name) for case in self.cases.values()]

    def url(self, name, path="/"):
        scheme, port = ("https", self.tls_port) if self.cases[name].tls else ("http", self.port)
        return f"{scheme}://{name}.localhost:{port}{path}"

    def accept(self, listener, is_tls):
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection, is_tls), daemon=True).start()

    def serve(self, connection, is_tls):
        with self.lock:
            self.open.add(connection)
        try:
            with connection:
                if is_tls:
                    secured, name = self.certificates.secure(connection, self.cases)
                    if secured is not None:
                        with secured:
                            if secured.selected_alpn_protocol() == "h2":
                                self.answer_frames(secured, name)
                            else:
                                self.answer(secured)
                else:
                    self.answer(connection)
        except OSError:
            pass
        finally:
            with self.lock:
                self.open.discard(connection)

    def answer(self, connection):
        """Requests of one connection, one after the other: a case that sends a whole answer may keep it open."""
        while (head := self.read_head(connection)) is not None:
            words = head.split(b"\r\n", 1)[0].decode("latin-1").split(" ")
            heard = Heard(words[1] if len(words) > 1 else "", head, bytearray())
            name = (heard.field("host") or "").partition(".")[0]
            case = self.cases.get(name)
            if case is None:
                return
            peer = Peer(connection, heard)
            if heard.path == "/robots.txt":
                with self.lock:
                    self.robots[name].append(heard)
                    tries = len(self.robots[name])
                if case.robots is None:
                    peer.send(NO_ROBOTS)
                    return
                if case.play(case.robots, peer, tries) != "keep":
                    return
                continue
            with self.lock:
                self.heard[name].append(heard)
                tries = sum(other.path == heard.path for other in self.heard[name])
            if case.play(case.answer_for(heard.path), peer, tries) != "keep":
                return

    def answer_frames(self, connection, name):
        """A case with HTTP/2: its frames for "/", and a word for its link."""
        speaker = torture_http2.Speaker(connection)
        speaker.begin()
        while True:
            path, stream = speaker.request()
            heard = Heard(path, b"", bytearray())
            with self.lock:
                self.heard[name].append(heard)
            peer = Peer(connection, heard)
            if self.cases[name].answer_frames(path)(peer, stream) != "keep":
                return

    @staticmethod
    def read_head(connection):
        head = b""
        while b"\r\n\r\n" not in head:
            part = connection.recv(65536)
            if not part:
                return None
            head += part
        return head


class Certificates:
    """A self-signed one for each kind of TLS trouble: made by openssl when the server starts."""

    KINDS = {"good": ("*.localhost", "20000101000000Z", "21000101000000Z"), "expired": ("*.localhost", "20000101000000Z", "20010101000000Z"),
             "wrong-name": ("elsewhere.example", "20000101000000Z", "21000101000000Z")}
    AUTHORITY = """
[ca]
default_ca = this
[this]
database = {folder}/index
serial = {folder}/serial
new_certs_dir = {folder}
default_md = sha256
policy = any
copy_extensions = copy
unique_subject = no
[any]
commonName = supplied
"""

    def __init__(self, folder):
        self.folder, self.contexts = folder, {}
        (folder / "index").touch()
        (folder / "serial").write_text("01")
        (folder / "ca.conf").write_text(self.AUTHORITY.format(folder=folder))
        for kind, (name, begin, end) in self.KINDS.items():
            key, request, certificate = (folder / f"{kind}.{end}" for end in ("key", "csr", "crt"))
            self.openssl("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", f"/CN={name}",
                         "-addext", f"subjectAltName=DNS:{name}", "-keyout", key, "-out", request)
            self.openssl("ca", "-config", folder / "ca.conf", "-batch", "-selfsign", "-keyfile", key, "-in", request, "-startdate", begin,
                         "-enddate", end, "-out", certificate)
            self.contexts[kind] = self.context(kind)
        self.contexts["h2"] = self.context("good")
        self.contexts["h2"].set_alpn_protocols(["h2", "http/1.1"])

    @staticmethod
    def openssl(*arguments):
        subprocess.run(["openssl", *arguments], check=True, capture_output=True)

    def context(self, kind):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.folder / f"{kind}.crt", self.folder / f"{kind}.key")
        return context

    def secure(self, connection, cases):
        """The connection with TLS as its case wants it, and the name of the case; None if that, or the client, ends it before."""
        first = connection.recv(65536, socket.MSG_PEEK)
        troubled = next((case.tls for case in cases.values() if case.tls in Peer.BEFORE_TLS and f"{case.name}.".encode() in first), None)
        if troubled is not None:
            Peer.BEFORE_TLS[troubled](connection)
            return None, None
        chosen = []

        def choose(tls, name, _context):
            chosen.append((name or "").partition(".")[0])
            case = cases.get(chosen[-1])
            if case is not None and case.tls in self.contexts:
                tls.context = self.contexts[case.tls]

        context = self.context("good")
        context.sni_callback = choose
        try:
            return context.wrap_socket(connection, server_side=True), chosen[-1] if chosen else None
        except (ssl.SSLError, OSError):
            return None, None
