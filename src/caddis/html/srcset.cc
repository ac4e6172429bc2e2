#include "caddis/html/srcset.h"

#include "caddis/base/strings.h"

namespace caddis::html {
namespace {

bool is_html_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

}  // namespace

bool SrcsetUrls::next(std::string_view& url) {
  while (at_ < value_.size() && (is_html_space(value_[at_]) || value_[at_] == ',')) ++at_;
  if (at_ >= value_.size()) return false;
  const size_t start = at_;
  while (at_ < value_.size() && !is_html_space(value_[at_])) ++at_;
  size_t end = at_;
  while (value_[end - 1] == ',') --end;
  url = value_.substr(start, end - start);
  if (end == at_) skip_descriptors();
  return true;
}

// To behind the comma that ends the candidate; commas within parentheses do not.
void SrcsetUrls::skip_descriptors() {
  for (bool in_parentheses = false; at_ < value_.size(); ++at_) {
    const char c = value_[at_];
    if (c == '(') in_parentheses = true;
    if (c == ')') in_parentheses = false;
    if (c == ',' && !in_parentheses) {
      ++at_;
      return;
    }
  }
}

std::optional<std::string_view> refresh_url(std::string_view value) {
  size_t at = 0;
  const auto skip_space = [&] {
    while (at < value.size() && is_html_space(value[at])) ++at;
  };
  skip_space();
  const size_t time = at;
  while (at < value.size() && (is_digit(value[at]) || value[at] == '.')) ++at;
  // A browser wants a time; pages that leave it out before "url=" mean the same.
  const bool has_time = at > time;
  if (has_time && at < value.size()) {
    if (value[at] != ';' && value[at] != ',' && !is_html_space(value[at])) return std::nullopt;
    skip_space();
    if (at < value.size() && (value[at] == ';' || value[at] == ',')) ++at;
    skip_space();
  }
  if (at >= value.size()) return std::nullopt;
  if (starts_with_ignore_case(value.substr(at), "url")) {
    const size_t keyword = at;
    at += 3;
    skip_space();
    if (at < value.size() && value[at] == '=') {
      ++at;
      skip_space();
    } else if (has_time) {
      at = keyword;
    } else {
      return std::nullopt;
    }
  } else if (!has_time) {
    return std::nullopt;
  }
  std::string_view url = value.substr(at);
  if (!url.empty() && (url[0] == '"' || url[0] == '\'')) {
    const char quote = url[0];
    url.remove_prefix(1);
    url = url.substr(0, url.find(quote));
  }
  while (!url.empty() && is_html_space(url.back())) url.remove_suffix(1);
  if (url.empty()) return std::nullopt;
  return url;
}

}  // namespace caddis::html
