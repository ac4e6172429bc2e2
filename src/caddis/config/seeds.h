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

struct SeedList {
  std::vector<std::string> seeds;     // as they stand there
  std::vector<std::string> unusable;  // the first lines that are none, cut where they are long
  SeedProblems problems;              // of lines that are none: "seeds.txt:3: seed 'x y' is not a URL: …"
};

// A list of seeds, a URL or host a line; blank lines are left out, and comments, which begin with '#'. Whatever else
// the file holds is a problem of its line.
SeedList read_seed_list(std::string_view text, std::string_view file_name);

// Whether all of them stay on this machine, so that nobody has to be told who crawls.
bool only_loopback(const std::vector<url::Url>& seeds);

}  // namespace caddis::config
