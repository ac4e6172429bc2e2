#include "caddis/extract/xml_base.h"

#include <algorithm>
#include <utility>

#include "caddis/html/tag.h"
#include "caddis/url/crawl_schemes.h"

namespace caddis::extract {

void XmlBases::begin(const html::Token& tag) {
  constexpr size_t kMostOpen = 64;
  const bool is_root = !std::exchange(has_begun_, true);
  const std::string_view written = trim_url(html::value_of(tag, "xml:base"));
  if (written.empty() || open_.size() >= kMostOpen) {
    const auto around = std::ranges::find(open_.rbegin(), open_.rend(), tag.name, &Open::element);
    if (around != open_.rend()) ++around->times;
    return;
  }
  auto base = url::Url::parse(written, &sink_.base());
  if (!base || !url::can_be_crawled(*base)) base = sink_.base();
  open_.push_back({.element = std::string(tag.name), .outer = sink_.base(), .is_root = is_root});
  sink_.set_base(*std::move(base));
}

// The base of the root stays: it is that of the document.
void XmlBases::end(std::string_view element) {
  const auto found = std::ranges::find(open_.rbegin(), open_.rend(), element, &Open::element);
  if (found == open_.rend()) return;
  const auto at = found.base() - 1;
  if (--at->times > 0 || at->is_root) return;
  sink_.set_base(std::move(at->outer));
  open_.erase(at, open_.end());
}

}  // namespace caddis::extract
