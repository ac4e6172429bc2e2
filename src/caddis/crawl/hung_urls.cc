#include "caddis/crawl/hung_urls.h"

#include <fmt/format.h>

#include "caddis/base/strings.h"

namespace caddis::crawl {

void HungUrls::load(std::string_view url, std::string_view row) {
  const size_t blank = row.find(' ');
  const auto times = parse_int(row.substr(0, blank));
  if (!times || *times < 1) return;
  Hang& hang = urls_[std::string(url)];
  hang.times = static_cast<unsigned>(*times);
  hang.step = blank == std::string_view::npos ? "" : row.substr(blank + 1);
}

std::string HungUrls::add(const std::string& url, std::string_view step) {
  Hang& hang = urls_[url];
  ++hang.times;
  hang.step = step;
  return fmt::format("{} {}", hang.times, hang.step);
}

std::string HungUrls::verdict(const std::string& url) const {
  if (urls_.empty()) return {};
  const auto hang = urls_.find(url);
  if (hang == urls_.end() || hang->second.times < kMost) return {};
  return fmt::format("hung:{}:{}", hang->second.times, hang->second.step);
}

}  // namespace caddis::crawl
