// The URLs at which a lane has stood still, in this process or in one before. They are rows of the state from the
// moment at which that is found: whatever becomes of the process, what is resumed knows of it, and does not try a URL
// for ever that stops it each time.
//
// Belongs to the crawl's loop.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

namespace caddis::crawl {

class HungUrls {
 public:
  // A URL at which this has happened so often is given up.
  static constexpr unsigned kMost = 2;

  struct Hang {
    unsigned times = 0;
    std::string step;  // the last time
  };
  // A row as it was stored: "<times> <step>".
  void load(std::string_view url, std::string_view row);
  // It has happened once more; returns the row.
  std::string add(const std::string& url, std::string_view step);
  // False if there was nothing to forget.
  bool forget(const std::string& url) { return urls_.erase(url) > 0; }
  // The verdict on a URL that is given up, for the annotations of crawl.log: "hung:2:extract". Empty if it is not
  // given up.
  std::string verdict(const std::string& url) const;

 private:
  std::unordered_map<std::string, Hang> urls_;
};

}  // namespace caddis::crawl
