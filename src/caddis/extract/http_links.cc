#include "caddis/extract/http_links.h"

#include <algorithm>
#include <string>

#include "caddis/base/strings.h"
#include "caddis/extract/link_relation.h"
#include "caddis/html/srcset.h"
#include "caddis/url/raw_bytes.h"

namespace caddis::extract {
namespace {

bool is_optional_space(char c) { return c == ' ' || c == '\t'; }

// One link of a field, and the first of each parameter that matters.
struct FieldLink {
  std::string_view target, rel;
  std::string_view candidates;  // imagesrcset: a picture in several sizes
};

// Walks over `<url>; rel="next"; title="a, b", <url2>`.
class LinkField {
 public:
  explicit LinkField(std::string_view value) : value_(value) {}

  bool next(FieldLink& link) {
    link = {};
    at_ = value_.find('<', at_);
    if (at_ == std::string_view::npos) return false;
    const size_t close = value_.find('>', at_);
    if (close == std::string_view::npos) return false;
    link.target = value_.substr(at_ + 1, close - at_ - 1);
    at_ = close + 1;
    std::string_view name, content;
    while (next_parameter(name, content)) {
      if (link.rel.empty() && equals_ignore_case(name, "rel")) link.rel = content;
      if (link.candidates.empty() && equals_ignore_case(name, "imagesrcset")) link.candidates = content;
    }
    return true;
  }

 private:
  void skip_space() {
    while (at_ < value_.size() && is_optional_space(value_[at_])) ++at_;
  }

  // Stops at the comma before the next link.
  bool next_parameter(std::string_view& name, std::string_view& content) {
    skip_space();
    if (at_ >= value_.size() || value_[at_] != ';') return false;
    ++at_;
    skip_space();
    const size_t start = at_;
    while (at_ < value_.size() && value_[at_] != '=' && value_[at_] != ';' && value_[at_] != ',') ++at_;
    name = trim(value_.substr(start, at_ - start));
    content = {};
    if (at_ >= value_.size() || value_[at_] != '=') return true;
    ++at_;
    skip_space();
    if (at_ < value_.size() && value_[at_] == '"') {
      const size_t open = ++at_;
      while (at_ < value_.size() && value_[at_] != '"') at_ += value_[at_] == '\\' ? 2 : 1;
      at_ = std::min(at_, value_.size());
      content = value_.substr(open, at_ - open);
      if (at_ < value_.size()) ++at_;
      return true;
    }
    const size_t open = at_;
    while (at_ < value_.size() && value_[at_] != ';' && value_[at_] != ',') ++at_;
    content = trim(value_.substr(open, at_ - open));
    return true;
  }

  std::string_view value_;
  size_t at_ = 0;
};

void extract_link_field(std::string_view value, LinkSink& sink) {
  LinkField field(value);
  for (FieldLink link; field.next(link);) {
    // "{" makes it a template (RFC 6570), to be filled in by a client.
    if (link.target.contains('{')) continue;
    const LinkRelation relation = link_relation(link.rel);
    if (relation.kind == LinkRelation::Kind::navigation) sink.add(link.target, Hop::navlink, "Link:");
    if (relation.kind != LinkRelation::Kind::embed) continue;
    sink.add(link.target, Hop::embed, "Link:");
    html::SrcsetUrls urls(link.candidates);
    for (std::string_view url; urls.next(url);) sink.add(url, Hop::embed, "Link:");
  }
}

// A list of strings (RFC 8941): where rules are that say which pages a browser may fetch beforehand.
void extract_speculation_field(std::string_view value, LinkSink& sink) {
  while (true) {
    const size_t open = value.find('"');
    if (open == std::string_view::npos) return;
    const size_t close = value.find('"', open + 1);
    if (close == std::string_view::npos) return;
    sink.add(value.substr(open + 1, close - open - 1), Hop::embed, "Speculation-Rules:");
    value.remove_prefix(close + 1);
  }
}

}  // namespace

robots::PageDirectives directives_of_header(const Document& document) {
  robots::PageDirectives said;
  for (const HeaderField& field : document.fields)
    if (equals_ignore_case(field.first, "x-robots-tag"))
      said.add(robots::parse_robots_tag(field.second, document.product_token));
  return said;
}

void extract_http(const Document& document, LinkSink& sink) {
  const bool moved = (document.status >= 300 && document.status < 400) || document.status == 201;
  for (const auto& [name, value] : document.fields) {
    if (equals_ignore_case(name, "location")) {
      if (moved) sink.add(url::as_sent(value), Hop::redirect, "Location:");
    } else if (equals_ignore_case(name, "refresh")) {
      if (const auto url = html::refresh_url(value)) sink.add(url::as_sent(*url), Hop::redirect, "Refresh:");
    } else if (equals_ignore_case(name, "content-location")) {
      sink.add(url::as_sent(value), Hop::inferred, "Content-Location:");
    } else if (equals_ignore_case(name, "link")) {
      extract_link_field(value, sink);
    } else if (equals_ignore_case(name, "speculation-rules")) {
      extract_speculation_field(value, sink);
    }
  }
}

}  // namespace caddis::extract
