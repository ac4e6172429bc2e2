// The basic URL parser (URL Standard, section 4.4), internal to the module. One object parses one input.
//
// The standard's states appear as functions of nearly the same names. The href is written once, from left to right:
// popping a path segment is cutting the string, and what comes from the base is copied as it stands.
#pragma once

#include <string>
#include <string_view>

#include "caddis/url/url.h"

namespace caddis::url {

class UrlParser {
 public:
  // `input` is valid UTF-8, trimmed, without tabs and newlines.
  UrlParser(std::string_view input, const Url* base, const QueryEncoder* encoder)
      : rest_(input), base_(base), encoder_(encoder) {}
  Result<Url> parse();

  // The Url of an input that is an absolute http or https URL and its own href, as most links are; nothing where that
  // is not certain at a glance.
  static std::optional<Url> parse_normal(std::string_view input);
  // The same for a path relative to `base`.
  static std::optional<Url> resolve_normal(std::string_view input, const Url& base);

 private:
  static std::optional<Url> glance(std::string_view input);
  Result<void> run();
  Result<void> without_scheme();
  Result<void> relative();
  Result<void> authority();
  Result<void> userinfo_and_host(std::string_view text);
  Result<void> host_and_port(std::string_view text);
  Result<void> file();
  Result<void> file_host();
  void path_start();
  void path();
  void opaque_path();
  void query_and_fragment();

  void begin(std::string_view scheme);
  void copy_authority();
  void copy_path();
  void copy_query();
  void empty_host();
  void append_segment(std::string_view segment);
  void shorten_path();
  void end_path();
  void append_query(std::string_view text);
  void skip_slashes();

  bool is_slash(char c) const { return c == '/' || (c == '\\' && url_.is_special_); }
  bool at_slash() const { return !rest_.empty() && is_slash(rest_.front()); }
  bool path_is_empty() const { return url_.href_.size() == url_.pathname_start_; }

  std::string_view rest_;  // what is still to be read
  const Url* base_;
  const QueryEncoder* encoder_;
  Url url_;
  bool is_file_ = false;
};

}  // namespace caddis::url
