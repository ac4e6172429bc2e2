// A session of SSH over a Wire: libssh2 computes, the wire carries. Internal to protocols; libssh2 is included by the .cc
// alone.
//
// Belongs to its loop's thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "caddis/protocols/wires.h"

struct _LIBSSH2_SESSION;
struct _LIBSSH2_SFTP;
struct _LIBSSH2_SFTP_HANDLE;

namespace caddis::protocols {

class SshSession {
 public:
  explicit SshSession(std::unique_ptr<Wire> wire);
  SshSession(const SshSession&) = delete;
  SshSession& operator=(const SshSession&) = delete;
  ~SshSession();

  // Agrees on keys. ErrorCode::parse: the server does not speak SSH, or nothing that both know.
  aio::Task<Result<void>> shake_hands();
  // The server's key, "SHA256:…" as ssh(1) shows it. After shake_hands.
  std::string host_key() const;
  // ErrorCode::denied: the server knows no such login.
  aio::Task<Result<void>> log_in_by_password(std::string user, std::string password);
  // `path`: a file with a private key, which `password` may open. ErrorCode::denied also if it cannot be opened.
  aio::Task<Result<void>> log_in_by_key(std::string user, std::string path, std::string password);
  aio::Task<Result<void>> begin_sftp();

  // Calls `call` until it does not ask to be called again (LIBSSH2_ERROR_EAGAIN), and returns what it has returned. An
  // Error is the wire's.
  aio::Task<Result<long>> run(std::function<long()> call);

  _LIBSSH2_SESSION* session() { return session_; }
  _LIBSSH2_SFTP* sftp() { return sftp_; }
  // A file or a folder that is open; it is closed with the session.
  _LIBSSH2_SFTP_HANDLE*& handle() { return handle_; }
  aio::Endpoint remote() const { return wire_->remote(); }
  // The latest failure in the words of libssh2.
  std::string why() const;

 private:
  friend struct SshCallbacks;
  aio::Task<Result<void>> flush();
  aio::Task<Result<void>> fill();
  aio::Task<Result<void>> log_in(std::function<long()> call);
  Result<void> logged_in(long result) const;

  const std::unique_ptr<Wire> wire_;
  _LIBSSH2_SESSION* session_ = nullptr;
  _LIBSSH2_SFTP* sftp_ = nullptr;
  _LIBSSH2_SFTP_HANDLE* handle_ = nullptr;
  std::string in_, out_;     // not taken yet, not sent yet
  bool has_ended_ = false;   // the server sends no more
  bool is_closing_ = false;  // nothing is sent any more
};

}  // namespace caddis::protocols
