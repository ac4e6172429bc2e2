#include "caddis/http/framing.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "caddis/base/strings.h"
#include "caddis/io/chunked.h"

namespace caddis::http {
namespace {

// Of digits alone; UINT64_MAX where they say more than that.
std::optional<uint64_t> parse_length(std::string_view text) {
  if (text.empty() || !std::ranges::all_of(text, is_digit)) return std::nullopt;
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc::result_out_of_range ? UINT64_MAX : number;
}

// The one length that all Content-Length fields agree on, or nothing; `problem` says why not where there was a field.
std::optional<uint64_t> content_length(const Head& head, std::string& problem) {
  std::optional<uint64_t> length;
  for (const std::string_view value : head.find_all("content-length")) {
    for (std::string_view item : split(value, ',')) {
      while (!item.empty() && (is_space(item.front()) || item.front() == '\0')) item.remove_prefix(1);
      while (!item.empty() && (is_space(item.back()) || item.back() == '\0')) item.remove_suffix(1);
      if (item.empty()) continue;
      const auto number = parse_length(item);
      if (!number) {
        problem = fmt::format("Content-Length '{}' is no number", item.substr(0, 40));
        return std::nullopt;
      }
      if (*number > io::kLargestBody) {
        problem = fmt::format("Content-Length '{}' is more than any body has", item.substr(0, 40));
        return std::nullopt;
      }
      if (length && *length != *number) {
        problem = fmt::format("Content-Length says both {} and {}", *length, *number);
        return std::nullopt;
      }
      length = number;
    }
  }
  return length;
}

bool wants_keep_alive(const Head& head) {
  if (head.has_token("connection", "close") || head.has_token("proxy-connection", "close")) return false;
  if (head.version() >= Version{1, 1}) return true;
  return head.has_token("connection", "keep-alive") || head.has_token("proxy-connection", "keep-alive");
}

bool has_no_body(const ResponseHead& head, std::string_view method) {
  const int status = head.status();
  return method == "HEAD" || status < 200 || status == 204 || status == 304 || (method == "CONNECT" && status < 300);
}

// Decides for a response with transfer codings; false where there are none but `identity`.
bool transfer_framing(const Head& head, Framing& framing) {
  // As warc::HttpHead has it, which finds the payload again.
  const std::string value = head.joined("transfer-encoding");
  std::string_view last;
  size_t codings = 0;
  for (const std::string_view item : split(value, ',')) {
    const std::string_view coding = trim(item.substr(0, item.find(';')));
    if (coding.empty() || equals_ignore_case(coding, "identity")) continue;
    last = coding;
    ++codings;
  }
  if (codings == 0) return false;
  if (!equals_ignore_case(last, "chunked")) {
    framing.kind = Framing::Kind::until_close;
    framing.problem = fmt::format("Transfer-Encoding '{}' does not end with chunked", value.substr(0, 40));
    return true;
  }
  framing.kind = Framing::Kind::chunked;
  if (codings > 1)
    framing.problem = fmt::format("transfer codings under chunked left as they are: '{}'", value.substr(0, 40));
  else if (head.version() < Version{1, 1})
    framing.problem = "chunked in HTTP/1.0";
  else if (head.find("content-length"))
    framing.problem = "both Transfer-Encoding and Content-Length";
  framing.keep_alive = framing.problem.empty() && wants_keep_alive(head);
  return true;
}

}  // namespace

Framing response_framing(const ResponseHead& head, std::string_view request_method) {
  Framing framing;
  if (has_no_body(head, request_method)) {
    framing.kind = Framing::Kind::none;
    framing.keep_alive = head.status() >= 200 && wants_keep_alive(head);
    return framing;
  }
  if (transfer_framing(head, framing)) return framing;
  if (const auto length = content_length(head, framing.problem)) {
    framing.kind = Framing::Kind::length;
    framing.length = *length;
    framing.keep_alive = wants_keep_alive(head);
  }
  return framing;
}

}  // namespace caddis::http
