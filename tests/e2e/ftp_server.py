"""An FTP server for a folder, on a free port of loopback: for anonymous users, and for one with a password.

It prints its port, and then each command that it gets.
"""

import logging
import pathlib
import sys

from pyftpdlib import authorizers, handlers, servers


class Handler(handlers.FTPHandler):
    banner = "ready"

    def pre_process_command(self, line, cmd, arg):
        print(line, flush=True)
        super().pre_process_command(line, cmd, arg)


def main(folder):
    logging.basicConfig(level=logging.ERROR)
    authorizer = authorizers.DummyAuthorizer()
    authorizer.add_anonymous(folder)
    authorizer.add_user("me", "sesame", str(pathlib.Path(folder) / "hidden"), perm="elr")
    Handler.authorizer = authorizer
    server = servers.FTPServer(("127.0.0.1", 0), Handler)
    print(server.address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main(sys.argv[1])
