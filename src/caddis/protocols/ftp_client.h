// Fetches one document of an FTP server, or the listing of a folder (RFC 959; 2428: EPSV, EPRT; 3659: SIZE, MDTM, MLSD).
//
//   FtpClient client(wires, spools);
//   TransferResult result = co_await client.fetch(std::move(transfer), /*is_active=*/false);
//
// A path that ends with a slash is a folder; another is asked for as a file first, and as a folder if there is no such
// file. A folder is listed by MLSD if the server knows it, else by LIST, and by NLST if the lines of LIST tell no name.
// Data comes from the server that was asked, whatever address it names; its port is held against Transfer::refusal.
// Each document has a connection of its own.
//
// Belongs to the loop of `wires`.
#pragma once

#include "caddis/io/spool.h"
#include "caddis/protocols/transfer.h"
#include "caddis/protocols/wires.h"

namespace caddis::protocols {

class FtpClient {
 public:
  // Both outlive it.
  FtpClient(Wires& wires, io::SpoolFolder& spools) : wires_(wires), spools_(spools) {}

  // `is_active`: the server connects to us for data (EPRT, PORT).
  aio::Task<TransferResult> fetch(Transfer transfer, bool is_active);

 private:
  Wires& wires_;
  io::SpoolFolder& spools_;
};

}  // namespace caddis::protocols
