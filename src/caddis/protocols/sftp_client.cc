#include "caddis/protocols/sftp_client.h"

#include <fmt/format.h>
#include <libssh2.h>
#include <libssh2_sftp.h>

#include <array>
#include <ctime>
#include <utility>

#include "caddis/base/time_format.h"
#include "caddis/http/throttle.h"
#include "caddis/protocols/body_recorder.h"
#include "caddis/protocols/ssh_session.h"
#include "caddis/text/media_types.h"

namespace caddis::protocols {
namespace {

using At = http::Failure::At;

// Heritrix has FTP's numbers for SFTP, too.
constexpr int kTransferred = 226, kLoginRefused = 530, kNoFile = 550;

std::unexpected<TransferFailure> refused(int status, std::string why) {
  TransferFailure failure;
  failure.error = Error{ErrorCode::denied, std::move(why)};
  failure.status = status;
  return std::unexpected(std::move(failure));
}

// A failure of the connection.
std::unexpected<TransferFailure> broken(Error error) {
  if (error.code == ErrorCode::denied) return refused(kLoginRefused, std::move(error.message));
  return failed(error.code == ErrorCode::parse ? At::protocol : At::response, std::move(error));
}

// "type=dir;size=4096;modify=20200131123059; name"
std::string listing_line(std::string_view name, const LIBSSH2_SFTP_ATTRIBUTES& facts) {
  std::string line;
  const bool has_mode = (facts.flags & LIBSSH2_SFTP_ATTR_PERMISSIONS) != 0;
  if (has_mode && LIBSSH2_SFTP_S_ISDIR(facts.permissions))
    line += "type=dir;";
  else if (has_mode && LIBSSH2_SFTP_S_ISLNK(facts.permissions))
    line += "type=OS.unix=symlink;";
  else if (has_mode && LIBSSH2_SFTP_S_ISREG(facts.permissions))
    line += "type=file;";
  if ((facts.flags & LIBSSH2_SFTP_ATTR_SIZE) != 0) line += fmt::format("size={};", facts.filesize);
  if ((facts.flags & LIBSSH2_SFTP_ATTR_ACMODTIME) != 0)
    line += fmt::format("modify={};", timestamp14(WallTime(std::chrono::seconds(facts.mtime))));
  return line.append(" ").append(name).append("\r\n");
}

class SftpSession {
 public:
  SftpSession(Wires& wires, io::SpoolFolder& spools, HostKeys& keys, Transfer transfer, SftpLogin login)
      : wires_(wires),
        keys_(keys),
        transfer_(std::move(transfer)),
        login_(std::move(login)),
        begun_(wires.loop().clock().steady()),
        patience_{wires.loop().clock(), transfer_.limits.silence, begun_ + transfer_.limits.total},
        recorder_(spools, transfer_.limits),
        throttle_(transfer_.limits.bandwidth) {
    timings_.started = wires.loop().clock().wall();
  }

  aio::Task<TransferResult> run() {
    TransferStep done = co_await connect();
    if (done) done = co_await log_in();
    if (done) done = co_await fetch();
    if (!done) co_return std::unexpected(std::move(done).error());
    http::Resource resource;
    resource.protocol = "sftp";
    resource.status = kTransferred;
    resource.reply = "host key " + session_->host_key();
    resource.listing = is_folder_ ? http::Resource::Listing::mlsd : http::Resource::Listing::none;
    http::Exchange exchange =
        recorder_.finish(std::move(resource), is_folder_ ? "text/plain" : text::media_type_of(transfer_.path));
    exchange.remote = session_->remote();
    timings_.finished = since_begin();
    if (timings_.first_byte == Duration::zero()) timings_.first_byte = timings_.finished;
    exchange.timings = timings_;
    co_return exchange;
  }

 private:
  aio::Task<TransferStep> connect() {
    const SteadyTime by = std::min(begun_ + transfer_.limits.connect, patience_.deadline);
    auto wire = co_await wires_.open(transfer_.way(), by, patience_, transfer_.ticket);
    if (!wire) co_return failed(transfer_.no_way(), std::move(wire).error());
    timings_.connected = since_begin();
    session_.emplace(*std::move(wire));
    const Result<void> shaken = co_await session_->shake_hands();
    if (!shaken) co_return broken(shaken.error());
    co_return check_key(session_->host_key());
  }

  // Trusted when it is seen first, and no other later.
  TransferStep check_key(const std::string& shown) {
    const std::string wanted = login_.host_key.empty() ? keys_.first_of(login_.server, shown) : login_.host_key;
    if (wanted == shown) return {};
    std::string why = fmt::format("{} shows the key {}, and {} is known of it: it may be another server", login_.server,
                                  shown, wanted);
    return failed(At::tls, Error{ErrorCode::denied, std::move(why)});
  }

  aio::Task<TransferStep> log_in() {
    Result<void> in = login_.key_file.empty()
                          ? co_await session_->log_in_by_password(transfer_.user, transfer_.password)
                          : co_await session_->log_in_by_key(transfer_.user, login_.key_file, transfer_.password);
    if (in) in = co_await session_->begin_sftp();
    if (!in) co_return broken(in.error());
    co_return TransferStep();
  }

  // The path as the server is to see it.
  std::string remote_path() const {
    if (transfer_.path.starts_with("/~/")) return transfer_.path.size() == 3 ? "." : transfer_.path.substr(3);
    return transfer_.path;
  }

  aio::Task<TransferStep> fetch() {
    const std::string path = remote_path();
    LIBSSH2_SFTP_ATTRIBUTES facts{};
    std::function<long()> look = [&] {
      return libssh2_sftp_stat_ex(session_->sftp(), path.data(), static_cast<unsigned>(path.size()), LIBSSH2_SFTP_STAT,
                                  &facts);
    };
    const Result<long> found = co_await session_->run(std::move(look));
    if (!found) co_return broken(found.error());
    if (*found != 0) co_return refused_by_server();
    is_folder_ = (facts.flags & LIBSSH2_SFTP_ATTR_PERMISSIONS) != 0 && LIBSSH2_SFTP_S_ISDIR(facts.permissions);
    const bool has_size = (facts.flags & LIBSSH2_SFTP_ATTR_SIZE) != 0;
    if (!is_folder_ && transfer_.limits.wants_body) {
      const http::ResponseHead head = made_up_head(kTransferred, text::media_type_of(transfer_.path));
      if (!transfer_.limits.wants_body(head, has_size ? static_cast<int64_t>(facts.filesize) : -1)) {
        recorder_.cut(http::Truncated::unwanted);
        co_return TransferStep();
      }
    }
    LIBSSH2_SFTP_HANDLE*& handle = session_->handle();
    std::function<long()> open = [&]() -> long {
      handle = libssh2_sftp_open_ex(session_->sftp(), path.data(), static_cast<unsigned>(path.size()), LIBSSH2_FXF_READ,
                                    0, is_folder_ ? LIBSSH2_SFTP_OPENDIR : LIBSSH2_SFTP_OPENFILE);
      return handle != nullptr ? 0 : libssh2_session_last_errno(session_->session());
    };
    const Result<long> opened = co_await session_->run(std::move(open));
    if (!opened) co_return broken(opened.error());
    if (*opened != 0) co_return refused_by_server();
    TransferStep done = is_folder_ ? co_await list(handle) : co_await receive(handle);
    if (done && !recorder_.is_cut() && !is_folder_ && has_size && recorder_.size() < facts.filesize) {
      recorder_.note(fmt::format("{} bytes came of {}", recorder_.size(), facts.filesize));
      recorder_.cut(http::Truncated::disconnect);
    }
    co_return done;
  }

  std::unexpected<TransferFailure> refused_by_server() {
    const unsigned long code = libssh2_sftp_last_error(session_->sftp());
    const bool is_missing = code == LIBSSH2_FX_NO_SUCH_FILE || code == LIBSSH2_FX_NO_SUCH_PATH;
    if (is_missing) return refused(kNoFile, "the SFTP server says: there is no such file");
    return refused(kNoFile, fmt::format("the SFTP server refuses it: error {}", code));
  }

  // Takes what has come. False: no more is wanted, or can be had.
  bool is_over(const Result<long>& got) {
    if (got && *got > 0) return false;
    if (!got && recorder_.size() > 0 && got.error().code != ErrorCode::cancelled)
      recorder_.cut(got.error().code == ErrorCode::timeout ? http::Truncated::time : http::Truncated::disconnect);
    if (got && *got < 0) recorder_.cut(http::Truncated::disconnect);
    return true;
  }

  aio::Task<TransferStep> keep(std::string_view bytes) {
    if (recorder_.size() == 0) timings_.first_byte = since_begin();
    if (const Result<void> stored = recorder_.feed(bytes); !stored) co_return failed(At::local, stored.error());
    throttle_.took(bytes.size(), wires_.loop().clock().steady());
    if (throttle_.next() > wires_.loop().clock().steady())
      co_await aio::sleep_until(wires_.loop(), std::min(throttle_.next(), patience_.deadline));
    co_return TransferStep();
  }

  aio::Task<TransferStep> receive(LIBSSH2_SFTP_HANDLE* handle) {
    const auto buffer = std::make_unique<std::array<char, kBuffer>>();
    while (!recorder_.is_cut()) {
      std::function<long()> read = [&]() -> long { return libssh2_sftp_read(handle, buffer->data(), buffer->size()); };
      const Result<long> got = co_await session_->run(std::move(read));
      if (is_over(got)) {
        if (!got && !recorder_.is_cut()) co_return broken(got.error());
        break;
      }
      TransferStep kept = co_await keep(std::string_view(buffer->data(), static_cast<size_t>(*got)));
      if (!kept) co_return kept;
    }
    co_return TransferStep();
  }

  aio::Task<TransferStep> list(LIBSSH2_SFTP_HANDLE* handle) {
    const auto buffer = std::make_unique<std::array<char, kBuffer>>();
    while (!recorder_.is_cut()) {
      LIBSSH2_SFTP_ATTRIBUTES facts{};
      std::function<long()> read = [&]() -> long {
        return libssh2_sftp_readdir_ex(handle, buffer->data(), buffer->size(), nullptr, 0, &facts);
      };
      const Result<long> got = co_await session_->run(std::move(read));
      if (is_over(got)) {
        if (!got && !recorder_.is_cut()) co_return broken(got.error());
        break;
      }
      const std::string_view name(buffer->data(), static_cast<size_t>(*got));
      if (name == "." || name == ".." || name.find_first_of("\r\n") != name.npos) continue;
      const std::string line = listing_line(name, facts);
      TransferStep kept = co_await keep(line);
      if (!kept) co_return kept;
    }
    co_return TransferStep();
  }

  Duration since_begin() const { return wires_.loop().clock().steady() - begun_; }

  static constexpr size_t kBuffer = 30'000;  // what libssh2 asks for at once

  Wires& wires_;
  HostKeys& keys_;
  const Transfer transfer_;
  const SftpLogin login_;
  const SteadyTime begun_;
  const Patience patience_;
  std::optional<SshSession> session_;
  BodyRecorder recorder_;
  http::Throttle throttle_;
  http::Timings timings_;
  bool is_folder_ = false;
};

}  // namespace

aio::Task<TransferResult> SftpClient::fetch(Transfer transfer, SftpLogin login) {
  if (transfer.path.contains('\0')) {
    TransferFailure failure;
    failure.error = Error{ErrorCode::parse, "a NUL stands in the path"};
    failure.status = status::kUnfetchable;
    co_return std::unexpected(std::move(failure));
  }
  SftpSession session(wires_, spools_, keys_, std::move(transfer), std::move(login));
  co_return co_await session.run();
}

}  // namespace caddis::protocols
