// Fetches one document of an SFTP server, or the listing of a folder (SSH: RFC 4251 to 4254; SFTP:
// draft-ietf-secsh-filexfer-02, version 3), by libssh2.
//
//   SftpClient client(wires, spools, keys);
//   TransferResult result = co_await client.fetch(std::move(transfer), login);
//
// A folder's listing has a line for each name, in the form of MLSD (RFC 3659): SFTP has no text of its own for it. A path
// "/~/x" begins at the user's home.
//
// Belongs to the loop of `wires`.
#pragma once

#include <string>

#include "caddis/io/spool.h"
#include "caddis/protocols/host_keys.h"
#include "caddis/protocols/transfer.h"
#include "caddis/protocols/wires.h"

namespace caddis::protocols {

struct SftpLogin {
  std::string key_file;  // with a private key; empty: by password
  std::string server;    // "host:port", by which its key is known
  std::string host_key;  // "SHA256:…", that it must show; empty: the first that it has shown
};

class SftpClient {
 public:
  // All outlive it.
  SftpClient(Wires& wires, io::SpoolFolder& spools, HostKeys& keys) : wires_(wires), spools_(spools), keys_(keys) {}

  aio::Task<TransferResult> fetch(Transfer transfer, SftpLogin login);

 private:
  Wires& wires_;
  io::SpoolFolder& spools_;
  HostKeys& keys_;
};

}  // namespace caddis::protocols
