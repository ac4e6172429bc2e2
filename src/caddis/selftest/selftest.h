// The selftest: crawls a site of its own twice, by the executable as it is installed, and looks at what has come of it:
// the way that each URL went, WARC files, index, logs, reports and replay. No other machine is asked.
//
//   Options options{.caddis = "/usr/bin/caddis", .folder = "/tmp/selftest"};
//   const bool is_sound = run(options, [](const Check& check) { … });
//
// It blocks, up to some minutes on a slow machine.
#pragma once

#include <functional>
#include <string>

namespace caddis::selftest {

struct Options {
  std::string caddis;  // the executable
  std::string folder;  // an empty one, where everything is made
};

struct Check {
  std::string name;  // "index"
  std::string text;  // what was looked at, or what is wrong, in words
  bool is_passed = false;
};

// Tells each check when it is done. Returns whether all have passed.
bool run(const Options& options, const std::function<void(const Check&)>& tell);

}  // namespace caddis::selftest
