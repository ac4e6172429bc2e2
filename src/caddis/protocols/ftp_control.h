// The control connection of FTP (RFC 959): commands go out, replies come back, and both are on record.
//
// Belongs to its loop's thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "caddis/protocols/ftp_reply.h"
#include "caddis/protocols/wires.h"

namespace caddis::protocols {

class FtpControl {
 public:
  explicit FtpControl(std::unique_ptr<Wire> wire) : wire_(std::move(wire)) {}

  // The next reply that is not preliminary to another: the greeting, or the end of a transfer. Errors are those of the
  // wire; closed: the server has closed; parse, limit: what came is no reply.
  aio::Task<Result<FtpReply>> reply();
  // The next reply, preliminary ones (1xx) included.
  aio::Task<Result<FtpReply>> any_reply();
  // Sends a command, and waits for its reply. `shown` stands on record in its place, if it is not empty.
  aio::Task<Result<FtpReply>> ask(std::string command, std::string shown = {});
  // The same, but preliminary replies count: a transfer begins.
  aio::Task<Result<FtpReply>> begin(std::string command);
  // Says good-bye, and waits for nothing.
  aio::Task<void> quit();

  aio::Endpoint remote() const { return wire_->remote(); }
  aio::Endpoint local() const { return wire_->local(); }
  // "* connected to …", "> USER anonymous", "< 331 …": a line each. Events may be added.
  void note(std::string_view event) { record("* ", event); }
  const std::string& conversation() const { return conversation_; }

 private:
  aio::Task<Result<std::string>> line();
  aio::Task<Result<void>> send(std::string command, std::string shown);
  void record(std::string_view mark, std::string_view text);

  const std::unique_ptr<Wire> wire_;
  std::string received_;  // not taken yet
  std::string conversation_;
};

}  // namespace caddis::protocols
