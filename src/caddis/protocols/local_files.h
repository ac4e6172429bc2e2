// Files of this machine (RFC 8089), as far as fetch.files opens folders to crawls: a document, or the listing of a folder
// in the form of MLSD (RFC 3659, section 7), by the names' bytes.
//
//   protocols::LocalFiles files(wires, spools);
//   auto result = co_await files.fetch(std::move(transfer), settings.files);
//
// Reading waits for a disk on a thread of its own, never on the loop.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/aio/blocking.h"
#include "caddis/io/spool.h"
#include "caddis/protocols/transfer.h"
#include "caddis/protocols/wires.h"

namespace caddis::protocols {

// As FTP has them: a document came whole; there is none of that name, or it may not be read; reading failed.
inline constexpr FetchStatus kFileRead = 226, kNoFile = 550, kFileUnreadable = 451;

class LocalFiles {
 public:
  // Both outlive it. Belongs to the loop of `wires`.
  LocalFiles(Wires& wires, io::SpoolFolder& spools) : wires_(wires), spools_(spools) {}

  // `Transfer::path` is a path of this machine, escaped as in its URL; `folders` are those that may be read. Whatever is
  // not in them, also by a link, and what is neither file nor folder, fails with status::kUnfetchable.
  aio::Task<TransferResult> fetch(Transfer transfer, std::vector<std::string> folders);

 private:
  Wires& wires_;
  io::SpoolFolder& spools_;
  std::unique_ptr<aio::Blocking> disk_;  // made when it is first needed
};

// Returns the path of this machine that the path of a file: URL stands for; nothing if no file can have such a name, as
// with "%2F" in it. Never one with "." or "..". Pure; any thread.
std::optional<std::string> local_path(std::string_view escaped);

// Checks an entry of fetch.files: an absolute path without "." and "..". ErrorCode::config. Pure; any thread.
Result<void> check_files_folder(std::string_view text);

}  // namespace caddis::protocols
