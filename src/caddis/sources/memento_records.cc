#include "caddis/sources/memento_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/sources/memento.h"
#include "caddis/sources/record_file.h"
#include "caddis/sources/redirects.h"

namespace caddis::sources {
namespace {

constexpr uint64_t kLongestBody = 1 << 30;
constexpr size_t kBodyMemory = 512 * 1024;
constexpr int kMostRedirects = 5;

// A response record (WARC 1.1) up to its body.
std::string record_front(const cdx::Capture& capture, const remote::WebAnswer& answer) {
  const std::string head = captured_head(answer.head);
  const auto told = parse_http_date(answer.header("memento-datetime"));
  const auto time = told ? told : parse_timestamp(capture.timestamp);
  return fmt::format(
      "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {}\r\nWARC-Date: {}\r\n"
      "Content-Type: application/http;msgtype=response\r\nContent-Length: {}\r\n\r\n{}",
      capture.url, rfc3339(time ? *time : WallTime()), head.size() + answer.body->size(), head);
}

}  // namespace

MementoRecords::MementoRecords(std::shared_ptr<remote::WebClient> client, MementoOptions options)
    : client_(std::move(client)), options_(std::move(options)), health_(client_->clock(), options_.name) {}

// Leads to the memento: archives redirect from a time to the nearest capture. A redirect that was captured has a
// Memento-Datetime, and is the memento.
Result<remote::WebAnswer> MementoRecords::ask(std::string address) {
  const std::string origin = origin_of(address);
  Redirects redirects;
  redirects.most = kMostRedirects;
  redirects.request = [this](const std::string& asked) {
    remote::WebRequest request;
    request.address = asked;
    request.timeout = options_.timeout;
    request.max_body = kLongestBody;
    request.memory = kBodyMemory;
    request.headers.push_back({"Prefer", "raw"});
    return request;
  };
  redirects.may_follow = [&](const remote::WebAnswer& answer, const url::Url& target) {
    return answer.header("memento-datetime").empty() && origin_of(target.href()) == origin;
  };
  return get_following(*client_, std::move(address), redirects);
}

Result<std::unique_ptr<io::File>> MementoRecords::open(const cdx::Capture& capture) {
  const std::string& address = capture.filename;
  const auto begins_it = [&](const std::string& prefix) { return address.starts_with(prefix); };
  if (std::ranges::none_of(options_.prefixes, begins_it))
    return fail(ErrorCode::not_found, options_.name + ": it has no file " + address);
  if (const auto reason = health_.why_not()) return fail(ErrorCode::io, *reason);
  auto answer = ask(raw_memento_address(address));
  if (!answer) {
    health_.failed(options_.name + ": " + answer.error().message);
    return pass(std::move(answer).error(), options_.name);
  }
  if (answer->header("memento-datetime").empty()) {
    const std::string message = fmt::format("{}: {}: it answers with status {}, and no memento", options_.name,
                                            remote::shown_address(address), answer->status);
    if (answer->status >= 500 || answer->status == 429) health_.failed(message);
    return fail(answer->status == 404 ? ErrorCode::not_found : ErrorCode::io, message);
  }
  health_.answered();
  return record_file(record_front(capture, *answer), answer->body);
}

}  // namespace caddis::sources
