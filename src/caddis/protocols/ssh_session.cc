#include "caddis/protocols/ssh_session.h"

#include <fmt/format.h>
#include <libssh2.h>
#include <libssh2_sftp.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

#include "caddis/base/check.h"

namespace caddis::protocols {

// libssh2 reads and writes memory: it never waits.
struct SshCallbacks {
  static ssize_t send(libssh2_socket_t, const void* bytes, size_t size, int, void** abstract) {
    SshSession& self = *static_cast<SshSession*>(*abstract);
    if (self.is_closing_) return -EPIPE;
    self.out_.append(static_cast<const char*>(bytes), size);
    return static_cast<ssize_t>(size);
  }
  static ssize_t receive(libssh2_socket_t, void* into, size_t size, int, void** abstract) {
    SshSession& self = *static_cast<SshSession*>(*abstract);
    if (self.in_.empty()) return self.has_ended_ || self.is_closing_ ? 0 : -EAGAIN;
    const size_t taken = std::min(size, self.in_.size());
    std::memcpy(into, self.in_.data(), taken);
    self.in_.erase(0, taken);
    return static_cast<ssize_t>(taken);
  }
};

namespace {

bool is_initialized() {
  static const bool is_ready = libssh2_init(0) == 0;
  return is_ready;
}

// As in RFC 4648, section 4, without padding.
std::string base64(std::string_view bytes) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  unsigned value = 0, bits = 0;
  for (const char byte : bytes) {
    value = (value << 8) | static_cast<unsigned char>(byte);
    for (bits += 8; bits >= 6; bits -= 6) text += kLetters[(value >> (bits - 6)) & 63];
  }
  if (bits > 0) text += kLetters[(value << (6 - bits)) & 63];
  return text;
}

}  // namespace

SshSession::SshSession(std::unique_ptr<Wire> wire) : wire_(std::move(wire)) {
  CADDIS_CHECK(is_initialized());
  session_ = libssh2_session_init_ex(nullptr, nullptr, nullptr, this);
  CADDIS_CHECK(session_ != nullptr);
  libssh2_session_callback_set(session_, LIBSSH2_CALLBACK_SEND, reinterpret_cast<void*>(&SshCallbacks::send));
  libssh2_session_callback_set(session_, LIBSSH2_CALLBACK_RECV, reinterpret_cast<void*>(&SshCallbacks::receive));
  libssh2_session_set_blocking(session_, 0);
}

SshSession::~SshSession() {
  is_closing_ = true;
  if (handle_ != nullptr) libssh2_sftp_close_handle(handle_);
  if (sftp_ != nullptr) libssh2_sftp_shutdown(sftp_);
  libssh2_session_free(session_);
}

std::string SshSession::why() const {
  char* text = nullptr;
  int size = 0;
  libssh2_session_last_error(session_, &text, &size, 0);
  return {text, static_cast<size_t>(std::max(size, 0))};
}

aio::Task<Result<void>> SshSession::flush() {
  while (!out_.empty()) {
    const std::string bytes = std::exchange(out_, {});
    CO_TRY_VOID(co_await wire_->write(bytes));
  }
  co_return Result<void>();
}

aio::Task<Result<void>> SshSession::fill() {
  std::array<char, 32 * 1024> buffer;
  CO_TRY(const size_t got, co_await wire_->read(buffer.data(), buffer.size()));
  has_ended_ = got == 0;
  in_.append(buffer.data(), got);
  co_return Result<void>();
}

aio::Task<Result<long>> SshSession::run(std::function<long()> call) {
  while (true) {
    const long result = call();
    CO_TRY_VOID(co_await flush());
    if (result != LIBSSH2_ERROR_EAGAIN) co_return result;
    if (has_ended_) co_return fail(ErrorCode::closed, "the server has closed the connection");
    CO_TRY_VOID(co_await fill());
  }
}

aio::Task<Result<void>> SshSession::shake_hands() {
  // There is no socket: a number that none has keeps libssh2 from using one.
  constexpr int kNoSocket = std::numeric_limits<int>::max();
  std::function<long()> call = [this] { return libssh2_session_handshake(session_, kNoSocket); };
  CO_TRY(const long result, co_await run(std::move(call)));
  if (result != 0) co_return fail(ErrorCode::parse, "no agreement on SSH with the server: " + why());
  co_return Result<void>();
}

std::string SshSession::host_key() const {
  constexpr size_t kSha256 = 32;
  const char* const hash = libssh2_hostkey_hash(session_, LIBSSH2_HOSTKEY_HASH_SHA256);
  if (hash == nullptr) return {};
  return "SHA256:" + base64(std::string_view(hash, kSha256));
}

aio::Task<Result<void>> SshSession::log_in(std::function<long()> call) {
  CO_TRY(const long result, co_await run(std::move(call)));
  co_return logged_in(result);
}

Result<void> SshSession::logged_in(long result) const {
  if (result != 0) return fail(ErrorCode::denied, "the server refuses the login: " + why());
  return {};
}

aio::Task<Result<void>> SshSession::log_in_by_password(std::string user, std::string password) {
  std::function<long()> call = [this, &user, &password] {
    return libssh2_userauth_password_ex(session_, user.data(), static_cast<unsigned>(user.size()), password.data(),
                                        static_cast<unsigned>(password.size()), nullptr);
  };
  co_return co_await log_in(std::move(call));
}

aio::Task<Result<void>> SshSession::log_in_by_key(std::string user, std::string path, std::string password) {
  std::function<long()> call = [this, &user, &path, &password] {
    return libssh2_userauth_publickey_fromfile_ex(session_, user.data(), static_cast<unsigned>(user.size()), nullptr,
                                                  path.c_str(), password.c_str());
  };
  CO_TRY(const long result, co_await run(std::move(call)));
  // The server has not been asked.
  if (result == LIBSSH2_ERROR_FILE || result == LIBSSH2_ERROR_KEYFILE_AUTH_FAILED)
    co_return fail(ErrorCode::denied,
                   fmt::format("the key {} cannot be used (is fetch.ftp-password its passphrase?): {}", path, why()));
  co_return logged_in(result);
}

aio::Task<Result<void>> SshSession::begin_sftp() {
  std::function<long()> call = [this]() -> long {
    sftp_ = libssh2_sftp_init(session_);
    return sftp_ != nullptr ? 0 : libssh2_session_last_errno(session_);
  };
  CO_TRY(const long result, co_await run(std::move(call)));
  if (result != 0) co_return fail(ErrorCode::parse, "the server has no SFTP: " + why());
  co_return Result<void>();
}

}  // namespace caddis::protocols
