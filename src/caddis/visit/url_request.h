// An attribute of a candidate: the request that an operator wants to have sent to a URL, if that is another one than a
// plain GET (docs/formats/action.md, `.requests`).
//
// A plain value.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/frontier/candidate.h"
#include "caddis/url/url.h"

namespace caddis::visit {

struct UrlRequest {
  static constexpr size_t kMostBody = 64u << 10, kMostHeaders = 50;
  static constexpr std::string_view kForm = "application/x-www-form-urlencoded";

  std::string method = "GET";  // or POST
  std::string content_type;    // of the body
  std::string body;
  std::vector<std::string> headers;  // "Name: value"

  // Returns nothing if the URL is to be asked for as others are.
  static std::optional<UrlRequest> of(const frontier::Candidate& candidate);
  void put_into(frontier::Candidate& candidate) const;

  // The body as it stands in keys (cdx/request_key.h).
  std::string key_body() const;
  // The URL that stands for the request in keys: for a POST that of cdx::request_url.
  Result<url::Url> key_url(const url::Url& url) const;
};

}  // namespace caddis::visit
