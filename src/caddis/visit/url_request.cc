#include "caddis/visit/url_request.h"

#include "caddis/cdx/line.h"
#include "caddis/cdx/request_key.h"
#include "caddis/frontier/bytes.h"

namespace caddis::visit {
namespace {

constexpr std::string_view kName = "request";
constexpr uint8_t kVersion = 1;

}  // namespace

// Whatever else the bytes may be, a URL is not lost for them.
std::optional<UrlRequest> UrlRequest::of(const frontier::Candidate& candidate) {
  const auto bytes = candidate.attributes.find(kName);
  if (!bytes) return {};
  frontier::Reader in(*bytes);
  if (in.u8() != kVersion) return {};
  UrlRequest request;
  request.method = in.string();
  request.content_type = in.string();
  request.body = in.string();
  while (in.ok() && !in.at_end() && request.headers.size() < kMostHeaders) request.headers.emplace_back(in.string());
  if (!in.ok()) return {};
  return request;
}

void UrlRequest::put_into(frontier::Candidate& candidate) const {
  std::string bytes(1, static_cast<char>(kVersion));
  for (const std::string_view part : {std::string_view(method), std::string_view(content_type), std::string_view(body)})
    frontier::put_string(bytes, part);
  for (const std::string& header : headers) frontier::put_string(bytes, header);
  candidate.attributes.set(kName, std::move(bytes));
}

std::string UrlRequest::key_body() const { return cdx::key_body(content_type, body); }

Result<url::Url> UrlRequest::key_url(const url::Url& url) const {
  if (method == "GET") return url;
  return url::Url::parse(cdx::request_url(url.without_fragment(), method, key_body()));
}

}  // namespace caddis::visit
