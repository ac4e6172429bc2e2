// The Robots Exclusion Protocol (RFC 9309): a robots.txt compiled once, then asked for each URL of its host.
//
// Group by product token (2.2.1), all groups of a token merged, `*` where no group names the crawler; the longest
// matching rule decides, allow before disallow, and /robots.txt itself is always allowed (2.2.2); `*` and `$` (2.2.3);
// percent-encoding per 2.2.2; 500 KiB read, cut at a line (2.5). Beyond the RFC: Crawl-delay and Sitemap lines, a
// missing colon, and the few misspellings that sites really have. What a failed fetch of robots.txt means is not
// decided here. Parsing never fails: what is not understood is counted.
//
// A Robots is immutable, owns its text and may be asked from any thread. Costs: parse ~20 ns a byte, verdict ~0.2 µs.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"

namespace caddis::robots {

// The views live as long as the Robots that gave them.
struct Verdict {
  bool allowed = true;
  std::string_view rule;  // the line that decided, "Disallow: /private"; empty where none did
  int line = 0;           // its number, from 1; 0 where none did
};

// What was found in the file, for reports on odd ones.
struct ParseCounts {
  int lines = 0;       // line ends, and what follows the last
  int directives = 0;  // user-agent, allow, disallow, sitemap, crawl-delay
  int unknown = 0;     // lines with a name and a value that mean nothing here
};

class Robots {
 public:
  static constexpr size_t kMaxText = 500 * 1024;
  static constexpr size_t kMaxLine = 16663;  // what follows in a longer line is not read

  static Robots parse(std::string_view text);
  Robots();  // an empty file: everything is allowed
  ~Robots();
  Robots(Robots&&) noexcept;
  Robots& operator=(Robots&&) noexcept;

  // `agent` is the crawler's product token ("caddis"), or a User-Agent header, of which the token is taken (agent.h).
  // `path_and_query` is what the request line says: percent-encoded, beginning with "/"; empty means "/".
  Verdict verdict(std::string_view agent, std::string_view path_and_query) const;
  // The Crawl-delay of the agent's groups (else of `*`), where there is one.
  std::optional<Duration> crawl_delay(std::string_view agent) const;
  // Whether a group names the agent itself (not `*`).
  bool names(std::string_view agent) const;

  const std::vector<std::string>& sitemaps() const;
  const ParseCounts& counts() const;

 private:
  struct Compiled;

  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace caddis::robots
