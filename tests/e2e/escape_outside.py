"""Everything that is not the archive, for a browser: ports on loopback that stand for hosts of the live web, and count what arrives."""

import collections
import json
import selectors
import socket
import threading

ANSWER = (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: 27\r\nConnection: close\r\n\r\n"
          b"<title>outside</title>hello")


class Outside:
    """`NAME.evil.test` for each of the names, with a TCP and a UDP port of its own: a connection alone tells who made it."""

    def __init__(self, names):
        self.arrived = collections.defaultdict(list)
        self._selector = selectors.DefaultSelector()
        self._ports = {}
        for name in names:
            stream = socket.create_server(("127.0.0.1", 0))
            packets = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            packets.bind(("127.0.0.1", 0))
            self._ports[name] = (stream.getsockname()[1], packets.getsockname()[1])
            for listener, take in ((stream, self._accept), (packets, self._packet)):
                listener.setblocking(False)
                self._selector.register(listener, selectors.EVENT_READ, (take, name))
        self._wake, self._waker = socket.socketpair()
        self._selector.register(self._wake, selectors.EVENT_READ, None)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def close(self):
        self._waker.send(b"x")
        self._thread.join()
        for key in list(self._selector.get_map().values()):
            key.fileobj.close()
        self._waker.close()
        self._selector.close()

    def stun(self, name):
        return f"stun:127.0.0.1:{self._ports[name][1]}"

    def udp_port(self, name):
        return self._ports[name][1]

    def resolver_rules(self):
        """What Chromium's --host-resolver-rules makes of names. A look-up alone stands in the net log as that of "NAME.evil.localhost"."""
        rules = [f"MAP {name}.evil.test {name}.evil.localhost:{ports[0]}" for name, ports in self._ports.items()]
        return ", ".join([*rules, "MAP * ~NOTFOUND", "EXCLUDE 127.0.0.1", "EXCLUDE *.localhost"])

    def _run(self):
        while True:
            for key, _ in self._selector.select():
                if key.data is None:
                    return
                take, name = key.data
                take(key.fileobj, name)

    def _accept(self, listener, name):
        connection, _ = listener.accept()
        connection.setblocking(False)
        self.arrived[name].append("connection")
        self._selector.register(connection, selectors.EVENT_READ, (self._request, name))

    def _request(self, connection, name):
        try:
            data = connection.recv(4096)
            if data:
                self.arrived[name].append("TLS hello" if data[0] == 0x16 else data.split(b"\r\n")[0][:80].decode("latin-1"))
                connection.send(ANSWER)
        except OSError:
            pass
        self._selector.unregister(connection)
        connection.close()

    def _packet(self, listener, name):
        data, _ = listener.recvfrom(4096)
        self.arrived[name].append(f"packet of {len(data)} bytes")


def looked_up(net_log):
    """The names NAME of "NAME.evil.…" that the browser resolved or connected to, by its own record."""
    record = json.loads(net_log.read_text(errors="replace"))
    types = {number: name for name, number in record["constants"]["logEventTypes"].items()}
    found = collections.Counter()
    for event in record["events"]:
        if types.get(event["type"]) == "HOST_RESOLVER_MANAGER_REQUEST":
            host = event.get("params", {}).get("host", "").split("://")[-1].split(":")[0]
            if ".evil." in host:
                found[host.split(".")[0]] += 1
    return found
