#include "caddis/replay/request_log.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "caddis/base/log.h"
#include "caddis/replay/viewer_keys.h"

namespace caddis::replay {
namespace {

constexpr Duration kLookedAtEach = std::chrono::seconds(1);
constexpr Duration kToldEach = std::chrono::minutes(1);
constexpr size_t kLongestField = 2048;
constexpr int kClientLeft = 499;  // as nginx has it

// As Apache escapes: quotes, backslashes, and what is not printable.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text.substr(0, kLongestField)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out += fmt::format("\\{}", c);
    else if (byte < 0x20 || byte >= 0x7F)
      out += fmt::format("\\x{:02x}", byte);
    else
      out += c;
  }
  return out + '"';
}

std::string word(std::string_view text) {
  std::string out;
  for (const char c : text) out += c > ' ' && c < 0x7F && c != '"' ? c : '_';
  return out.empty() ? "-" : out;
}

std::string_view end_words(http::SentResponse::End end) {
  using enum http::SentResponse::End;
  return end == whole ? "" : end == cut ? " cut" : " left";
}

std::string time_words(WallTime now) {
  static constexpr std::string_view kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                 "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto day = std::chrono::floor<std::chrono::days>(now);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(std::chrono::floor<std::chrono::seconds>(now - day));
  return fmt::format("{:02}/{}/{:04}:{:02}:{:02}:{:02} +0000", static_cast<unsigned>(date.day()),
                     kMonths[static_cast<unsigned>(date.month()) - 1], static_cast<int>(date.year()),
                     time.hours().count(), time.minutes().count(), time.seconds().count());
}

}  // namespace

std::string request_log_line(const http::ServerRequest& request, std::string_view address, std::string_view user,
                             WallTime now, const http::SentResponse& sent, std::string_view base) {
  const std::string_view referer = request.header("referer"), agent = request.header("user-agent");
  return fmt::format("{} - {} [{}] {} {} {} {} {}{}\n", word(address), word(user), time_words(now),
                     quoted(request.method + ' ' + hide_key(request.target, base) + " HTTP/1.1"),
                     sent.status == 0 ? kClientLeft : sent.status, sent.bytes,
                     quoted(referer.empty() ? "-" : hide_key(referer, base)), quoted(agent.empty() ? "-" : agent),
                     end_words(sent.end));
}

Result<std::unique_ptr<RequestLog>> RequestLog::open(io::Files& files, const Clock& clock, RequestLogOptions options) {
  auto log = std::unique_ptr<RequestLog>(new RequestLog(files, clock, std::move(options)));
  if (!log->options_.file.empty()) TRY_VOID(log->append(""));
  return log;
}

void RequestLog::write(const http::ServerRequest& request, std::string_view address, std::string_view user,
                       const http::SentResponse& sent) {
  if (options_.file.empty()) return;
  const std::string line = request_log_line(request, address, user, clock_.wall(), sent, options_.base);
  const std::scoped_lock lock(mutex_);
  const auto written = append(line);
  if (written || (told_ != SteadyTime() && clock_.steady() - told_ < kToldEach)) return;
  told_ = clock_.steady();
  log_warn("serve", "the access log is not written: {}", written.error().message);
}

Result<void> RequestLog::append(std::string_view line) {
  const SteadyTime now = clock_.steady();
  if (file_ && now - looked_ >= kLookedAtEach) {
    looked_ = now;
    if (!files_.exists(options_.file)) file_.reset();  // moved away
  }
  if (file_ && options_.largest > 0 && size_ >= options_.largest) TRY_VOID(move_on());
  if (!file_) {
    TRY(file_, files_.open_append(options_.file));
    TRY(size_, file_->size());
    looked_ = now;
  }
  TRY_VOID(file_->append(line));
  size_ += line.size();
  return {};
}

Result<void> RequestLog::move_on() {
  file_.reset();
  const auto name = [&](int number) {
    return number == 0 ? options_.file : fmt::format("{}.{}", options_.file, number);
  };
  for (int number = options_.kept - 1; number >= 0; --number)
    if (files_.exists(name(number))) TRY_VOID(files_.rename(name(number), name(number + 1)));
  if (options_.kept == 0) TRY_VOID(files_.remove(options_.file));
  return {};
}

}  // namespace caddis::replay
