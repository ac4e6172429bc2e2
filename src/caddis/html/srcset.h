// Small grammars inside attribute values, with byte ranges for rewriters. Pure, any thread; time is linear.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace caddis::html {

// The candidates of a srcset or imagesrcset attribute (HTML Standard, 4.8.4.2.2 "parse a srcset attribute"):
//
//   SrcsetUrls urls(value);
//   for (std::string_view url; urls.next(url);) …
//
// Candidates whose descriptors a browser would refuse are reported all the same.
class SrcsetUrls {
 public:
  explicit SrcsetUrls(std::string_view value) : value_(value) {}
  // The next URL as a view into the value; false at the end.
  bool next(std::string_view& url);

 private:
  void skip_descriptors();

  std::string_view value_;
  size_t at_ = 0;
};

// The URL of `5; url=x` in a meta refresh or a Refresh header (HTML Standard, "shared declarative refresh steps"); a
// view into `value`, nothing where it only names a time.
std::optional<std::string_view> refresh_url(std::string_view value);

}  // namespace caddis::html
