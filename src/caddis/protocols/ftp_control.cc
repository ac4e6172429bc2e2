#include "caddis/protocols/ftp_control.h"

#include <fmt/format.h>

#include <array>

namespace caddis::protocols {
namespace {

constexpr size_t kLongestLine = 8 * 1024;
// The most of a conversation that is on record.
constexpr size_t kLongestConversation = 256 * 1024;

}  // namespace

void FtpControl::record(std::string_view mark, std::string_view text) {
  if (conversation_.size() + text.size() > kLongestConversation) return;
  conversation_.append(mark).append(text).append("\r\n");
}

aio::Task<Result<std::string>> FtpControl::line() {
  std::array<char, 4096> buffer;
  size_t searched = 0;
  while (true) {
    if (const size_t end = received_.find('\n', searched); end != std::string::npos) {
      std::string line = received_.substr(0, end);
      received_.erase(0, end + 1);
      if (line.ends_with('\r')) line.pop_back();
      record("< ", line);
      co_return line;
    }
    searched = received_.size();
    if (searched > kLongestLine)
      co_return fail(ErrorCode::limit, fmt::format("a line of more than {} bytes from an FTP server", kLongestLine));
    CO_TRY(const size_t got, co_await wire_->read(buffer.data(), buffer.size()));
    if (got == 0) co_return fail(ErrorCode::closed, "the FTP server has closed the connection");
    received_.append(buffer.data(), got);
  }
}

aio::Task<Result<FtpReply>> FtpControl::any_reply() {
  FtpReplyReader reader;
  while (true) {
    CO_TRY(const std::string text, co_await line());
    CO_TRY(std::optional<FtpReply> reply, reader.take(text));
    if (reply) co_return *std::move(reply);
  }
}

aio::Task<Result<FtpReply>> FtpControl::reply() {
  constexpr int kMostPreliminary = 20;
  for (int i = 0; i < kMostPreliminary; ++i) {
    CO_TRY(FtpReply next, co_await any_reply());
    if (!next.is_preliminary()) co_return next;
  }
  co_return fail(ErrorCode::limit, "an FTP server that asks for patience again and again");
}

aio::Task<Result<void>> FtpControl::send(std::string command, std::string shown) {
  record("> ", shown.empty() ? command : shown);
  command += "\r\n";
  co_return co_await wire_->write(command);
}

aio::Task<Result<FtpReply>> FtpControl::ask(std::string command, std::string shown) {
  CO_TRY_VOID(co_await send(std::move(command), std::move(shown)));
  co_return co_await reply();
}

aio::Task<Result<FtpReply>> FtpControl::begin(std::string command) {
  CO_TRY_VOID(co_await send(std::move(command), std::string()));
  co_return co_await any_reply();
}

aio::Task<void> FtpControl::quit() {
  const Result<void> sent = co_await send("QUIT", std::string());
  if (!sent) note("the connection has ended");
}

}  // namespace caddis::protocols
