#include "caddis/protocols/whois.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "caddis/base/fetch_status.h"
#include "caddis/base/strings.h"
#include "caddis/http/throttle.h"
#include "caddis/protocols/body_recorder.h"
#include "caddis/url/percent.h"

namespace caddis::protocols {
namespace {

using At = http::Failure::At;

// The words before the colon of a line that names a server: "whois", "Whois Server (port 43)", "refer", "ReferralServer".
bool names_server(std::string_view key) {
  key = trim(key.substr(0, key.find('(')));
  constexpr std::array<std::string_view, 5> kKeys = {"whois", "refer", "whois server", "registrar whois server",
                                                     "referralserver"};
  return std::ranges::any_of(kKeys, [&](std::string_view each) { return equals_ignore_case(key, each); });
}

// "whois.example.org:43", without a scheme and slashes; empty if it is none.
std::string_view server_in(std::string_view value) {
  value = trim(value);
  if (starts_with_ignore_case(value, "whois://")) value.remove_prefix(8);
  while (value.ends_with('/')) value.remove_suffix(1);
  constexpr size_t kLongest = 260;
  if (value.size() < 4 || value.size() > kLongest || !value.contains('.')) return {};
  const bool is_server = std::ranges::all_of(value, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
           c == ':';
  });
  return is_server ? value : std::string_view();
}

// "domain example.com": the last word is what is asked about.
std::string_view subject_of(std::string_view query) {
  query = trim(query);
  const size_t blank = query.find_last_of(' ');
  return blank == query.npos ? query : query.substr(blank + 1);
}

class WhoisSession {
 public:
  WhoisSession(Wires& wires, io::SpoolFolder& spools, Transfer transfer)
      : wires_(wires),
        transfer_(std::move(transfer)),
        begun_(wires.loop().clock().steady()),
        patience_{wires.loop().clock(), transfer_.limits.silence, begun_ + transfer_.limits.total},
        recorder_(spools, transfer_.limits) {}

  aio::Task<TransferResult> run() {
    http::Timings timings{.started = wires_.loop().clock().wall()};
    const SteadyTime connect_by = std::min(begun_ + transfer_.limits.connect, patience_.deadline);
    auto wire = co_await wires_.open(transfer_.way(), connect_by, patience_, transfer_.ticket);
    if (!wire) co_return failed(transfer_.no_way(), std::move(wire).error());
    timings.connected = since_begin();
    const std::string asked = transfer_.path + "\r\n";
    const Result<void> sent = co_await (*wire)->write(asked);
    if (!sent) co_return failed(At::response, sent.error());
    TransferStep received = co_await receive(**wire, timings);
    if (!received) co_return std::unexpected(std::move(received).error());
    http::Resource resource;
    resource.protocol = "whois";
    resource.status = status::kWhoisOk;
    http::Exchange exchange = recorder_.finish(std::move(resource), "text/plain");
    exchange.remote = (*wire)->remote();
    timings.finished = since_begin();
    if (timings.first_byte == Duration::zero()) timings.first_byte = timings.finished;
    exchange.timings = timings;
    co_return exchange;
  }

 private:
  aio::Task<TransferStep> receive(Wire& wire, http::Timings& timings) {
    http::Throttle throttle(transfer_.limits.bandwidth);
    const auto buffer = std::make_unique<std::array<char, kBuffer>>();
    while (!recorder_.is_cut()) {
      co_await aio::sleep_until(wires_.loop(), std::min(throttle.next(), patience_.deadline));
      const Result<size_t> got = co_await wire.read(buffer->data(), throttle.at_once(buffer->size()));
      if (!got && (recorder_.size() == 0 || got.error().code == ErrorCode::cancelled))
        co_return failed(At::response, got.error());
      if (!got)
        recorder_.cut(got.error().code == ErrorCode::timeout ? http::Truncated::time : http::Truncated::disconnect);
      if (!got || *got == 0) break;
      if (recorder_.size() == 0) timings.first_byte = since_begin();
      throttle.took(*got, wires_.loop().clock().steady());
      const std::string_view bytes(buffer->data(), *got);
      if (const Result<void> stored = recorder_.feed(bytes); !stored) co_return failed(At::local, stored.error());
    }
    if (recorder_.size() > 0) co_return TransferStep();
    co_return failed(At::response, Error{ErrorCode::closed, "the WHOIS server has closed without an answer"});
  }

  Duration since_begin() const { return wires_.loop().clock().steady() - begun_; }

  static constexpr size_t kBuffer = 16 * 1024;

  Wires& wires_;
  const Transfer transfer_;
  const SteadyTime begun_;
  const Patience patience_;
  BodyRecorder recorder_;
};

}  // namespace

aio::Task<TransferResult> WhoisClient::fetch(Transfer transfer) {
  constexpr size_t kLongest = 1024;
  const std::string& query = transfer.path;
  if (trim(query).empty() || query.size() > kLongest ||
      query.find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos) {
    TransferFailure failure;
    failure.error = Error{ErrorCode::parse, "no query stands in the URL; write it as whois://server/query"};
    failure.status = status::kUnfetchable;
    co_return std::unexpected(std::move(failure));
  }
  WhoisSession session(wires_, spools_, std::move(transfer));
  co_return co_await session.run();
}

std::optional<std::string> whois_referral(std::string_view answer) {
  std::optional<std::string> found;
  while (!answer.empty()) {
    const size_t end = std::min(answer.find('\n'), answer.size());
    const std::string_view line = answer.substr(0, end);
    answer.remove_prefix(std::min(end + 1, answer.size()));
    const size_t colon = line.find(':');
    if (colon == line.npos || !names_server(line.substr(0, colon))) continue;
    if (const std::string_view server = server_in(line.substr(colon + 1)); !server.empty()) found = to_lower(server);
  }
  return found;
}

std::string whois_url(std::string_view server, std::string_view query, std::span<const std::string> templates) {
  std::string asked(subject_of(query));
  const std::string_view host = server.substr(0, server.find(':'));
  for (const std::string& each : templates) {
    const size_t blank = each.find(' ');
    if (blank == each.npos || !equals_ignore_case(each.substr(0, blank), host)) continue;
    std::string words = each.substr(blank + 1);
    if (const size_t at = words.find("%s"); at != words.npos) words.replace(at, 2, asked);
    asked = words;
    break;
  }
  static constexpr url::ByteSet kSegment = url::kPathSet.with("/%;\\");
  std::string made = fmt::format("whois://{}/", server);
  url::append_escaped(made, asked, kSegment);
  return made;
}

Result<void> check_whois_template(std::string_view text) {
  const size_t blank = text.find(' ');
  if (blank != text.npos && !server_in(text.substr(0, blank)).empty() && text.substr(blank).contains("%s") &&
      text.find_first_of("\r\n") == text.npos)
    return {};
  return fail(ErrorCode::config, fmt::format("'{}' is no form of a query; write \"whois.denic.de -T dn %s\"", text));
}

}  // namespace caddis::protocols
