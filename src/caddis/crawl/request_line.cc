#include "caddis/crawl/request_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "caddis/base/json_text.h"
#include "caddis/base/utf8.h"
#include "caddis/base/visible.h"
#include "caddis/fetch/settings.h"
#include "caddis/logs/json_line.h"
#include "caddis/settings/checks.h"

namespace caddis::crawl {
namespace {

constexpr size_t kMostShown = 60;

std::unexpected<Error> refuse(std::string why) { return fail(ErrorCode::parse, std::move(why)); }

Result<void> check_members(const logs::JsonLine& line) {
  constexpr std::array<std::string_view, 5> kTexts = {"url", "method", "body", "content_type", "headers"};
  for (const logs::JsonLine::Member& member : line.members()) {
    if (std::ranges::find(kTexts, member.name) == kTexts.end())
      return refuse(fmt::format("'{}' is no member of a request: there are url, method, body, content_type and headers",
                                visible(member.name, kMostShown)));
    const char expected = member.name == "headers" ? '[' : '"';
    if (!member.value.starts_with(expected))
      return refuse(fmt::format("{} is no {}", member.name, expected == '[' ? "list of texts" : "text"));
  }
  return {};
}

Result<void> check_header(std::string_view text) {
  if (auto header = fetch::parse_header(text); !header) return refuse(header.error().message);
  const std::string_view name = text.substr(0, text.find(':'));
  if (!fetch::is_credential(name)) return {};
  return refuse(
      fmt::format("the header {} may let somebody in: put it into fetch.headers of a sheet, which is kept as a "
                  "secret",
                  visible(name, kMostShown)));
}

}  // namespace

Result<RequestLine> parse_request_line(std::string_view text) {
  if (!is_utf8(text)) return refuse("it is no UTF-8, as JSON has to be; encode other bytes of a body as its type says");
  logs::JsonLine line;
  if (!line.parse(text))
    return refuse("it is no JSON object, as in {\"url\": \"https://example.org/\", \"method\": \"POST\"}");
  TRY_VOID(check_members(line));
  RequestLine made;
  made.url = line.copy("url");
  visit::UrlRequest& request = made.request;
  if (made.url.empty()) return refuse("it has no url");
  if (!line.raw("method").empty()) request.method = line.copy("method");
  if (request.method != "GET" && request.method != "POST") return refuse("method is GET or POST");
  request.body = line.copy("body");
  request.content_type = line.copy("content_type");
  if (request.method == "GET" && !(request.body.empty() && request.content_type.empty()))
    return refuse("a GET has no body: say \"method\": \"POST\"");
  if (request.body.size() > visit::UrlRequest::kMostBody)
    return refuse(fmt::format("its body is longer than {} bytes", visit::UrlRequest::kMostBody));
  if (request.method == "POST" && request.content_type.empty()) request.content_type = visit::UrlRequest::kForm;
  if (!settings::header_value(request.content_type)) return refuse("content_type cannot stand in a header");
  request.headers = logs::json_texts_of(line.raw("headers"));
  if (request.headers.size() > visit::UrlRequest::kMostHeaders)
    return refuse(fmt::format("it has more than {} headers", visit::UrlRequest::kMostHeaders));
  for (const std::string& header : request.headers) TRY_VOID(check_header(header));
  return made;
}

std::string write_request_line(std::string_view url, const visit::UrlRequest& request) {
  JsonObject line;
  line.add("url", url).add("method", request.method);
  if (request.method != "GET") line.add("content_type", request.content_type).add("body", request.body);
  if (request.headers.empty()) return line.finish();
  std::string headers;
  for (const std::string& header : request.headers) {
    headers += headers.empty() ? '[' : ',';
    append_json_string(headers, header);
  }
  return line.add_raw("headers", headers + ']').finish();
}

}  // namespace caddis::crawl
