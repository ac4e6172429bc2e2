// Lines of a log that hold a text, looked for from its end, a piece at a time, in all of its files.
//
// One thread. Memory: a piece, the longest line, and the lines that were found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/io/text_lines.h"

namespace caddis::why {

class LogSearch {
 public:
  static constexpr size_t kPiece = 4u << 20;

  struct Wanted {
    std::string text;                                    // a line that does not hold it is not looked at
    std::function<bool(std::string_view line)> is_it;    // whether one that does is wanted
    size_t enough = std::numeric_limits<size_t>::max();  // the latest so many
  };

  // `log` is the path of its first file. A log that is not there has no lines.
  LogSearch(io::Files& files, std::string log, Wanted wanted);

  // Searches one piece. Lines longer than TextLines::kMaxLine are passed by where they are read from the end. Returns true if the search has ended.
  Result<bool> step();
  // Gives what was found so far, oldest first.
  std::vector<std::string> take();

 private:
  Result<bool> open_next();
  Result<void> search_backward();
  Result<void> search_forward();
  void keep_wanted(std::string_view lines);

  io::Files& files_;
  const std::string log_;
  const Wanted wanted_;
  bool is_listed_ = false;
  std::vector<std::string> parts_;  // that are still to be searched, oldest first
  std::unique_ptr<io::File> file_;
  uint64_t end_ = 0;    // of the file at hand: what lies before it has not been searched
  std::string rest_;    // the end of a line whose beginning lies before
  bool skips_ = false;  // the line at hand is too long: its beginning, which lies before, is passed by
  std::unique_ptr<io::TextLines> packed_;
  std::deque<std::string> of_packed_;  // found in it so far
  std::deque<std::string> found_;
};

}  // namespace caddis::why
