// The lines of a robots.txt as name and value (RFC 9309, 2.2), forgiving as sites need it. Internal to robots.
#pragma once

#include <string_view>

namespace caddis::robots {

enum class Directive { none, user_agent, allow, disallow, sitemap, crawl_delay, unknown };

struct Line {
  Directive directive = Directive::none;
  std::string_view value;
  std::string_view text;  // without comment and white space around
  int number = 0;
};

// Walks over borrowed text; lines end with LF, CR or CRLF.
class LineReader {
 public:
  // Skips a byte order mark, also the beginning of one.
  explicit LineReader(std::string_view text);
  // The next line; false at the end.
  bool next(Line& line);
  int lines() const { return number_; }

 private:
  std::string_view rest_;
  int number_ = 0;
  bool ended_ = false;
};

}  // namespace caddis::robots
