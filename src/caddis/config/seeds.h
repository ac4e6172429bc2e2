// Seeds as people write them. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/url/url.h"

namespace caddis::config {

// The URL of a seed, without fragment; a bare host (and port) means http. ErrorCode::config where it cannot be crawled.
Result<url::Url> parse_seed(std::string_view text);

// A seed as others may see it, in settings, reports and messages: a URL without its userinfo. Of what is no URL,
// nothing in front of an "@" is shown, as it may be a password.
std::string shown_seed(std::string_view text);

// What is wrong with seeds, as far as people read it: the first problems, and how many more there are.
class SeedProblems {
 public:
  void add(std::string problem);
  bool empty() const { return first_.empty(); }
  // At most kTold, and a line about the others.
  std::vector<std::string> told() const;

 private:
  static constexpr size_t kTold = 20;
  std::vector<std::string> first_;
  size_t more_ = 0;
};

// The seed on a line of a list, a URL or host: without blanks around it and a comment behind it ("example.org  # late").
// Empty if the line holds none: it is blank, or a comment alone, which begins with '#'.
std::string_view seed_on_line(std::string_view line);

// A line of a list that is no seed, as reports have it: shown_seed, cut if it is long, in one column.
std::string shown_unusable(std::string_view text);

// Whether it stays on this machine.
bool is_loopback(const url::Url& seed);

// Whether all of them stay on this machine, so that nobody has to be told who crawls.
bool only_loopback(const std::vector<url::Url>& seeds);

}  // namespace caddis::config
