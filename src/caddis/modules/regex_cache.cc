#include "caddis/modules/regex_cache.h"

#include <fmt/format.h>

#include "caddis/base/visible.h"

namespace caddis::modules {

Result<const re2::RE2*> RegexCache::of(std::string_view text) {
  if (text.size() > kLongest)
    return fail(ErrorCode::config, fmt::format("a regular expression may have {} bytes", kLongest));
  const std::string key(text);
  if (const auto known = compiled_.find(key); known != compiled_.end()) return known->second.get();
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kMemory);
  // Bodies are bytes, whatever their charset.
  options.set_encoding(re2::RE2::Options::EncodingLatin1);
  auto made = std::make_unique<re2::RE2>(key, options);
  if (!made->ok())
    return fail(ErrorCode::config,
                fmt::format("'{}' is no regular expression: {}", visible(text, kQuoted), made->error()));
  if (compiled_.size() >= kMost) compiled_.clear();
  return compiled_.emplace(key, std::move(made)).first->second.get();
}

}  // namespace caddis::modules
