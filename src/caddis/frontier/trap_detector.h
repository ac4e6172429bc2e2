// Finds patterns of URLs that are traps: page after page says nothing new. A calendar, a shop's filters in all
// combinations or session ids in URLs give pages without end that differ in numbers only; what tells them apart from a
// large site is that page after page of the same pattern says nothing that the ones before did not.
//
// A pattern is a host and a path in which numbers and ids are alike, with the names of the query's parameters. From the
// fiftieth visit on, pages are compared by the words in them (text/sketch.h). It is kept in memory, for so many
// patterns as have many URLs, and learned again after a restart.
//
// Not thread-safe: part of the frontier.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "caddis/text/sketch.h"

namespace caddis::frontier {

// "example.org/blog/#/#?month&year" of "http://example.org/blog/2024/05?year=1&month=2".
std::string path_pattern(std::string_view url);

class TrapDetector {
 public:
  enum class State : uint8_t { novel, repeating, trap };  // trap: repeating for long

  // A visit begins. Whether its page is to be compared with the pattern's others.
  bool wants_page(std::string_view url);
  // Takes a page that was to be compared. Returns the state if it has changed, otherwise nothing.
  std::optional<State> observe(std::string_view url, const text::Sketch& page);

  // All patterns are novel: nothing has to be looked up.
  bool all_novel() const { return repeating_ == 0; }
  State state_of(std::string_view url) const;

 private:
  struct Pattern {
    uint64_t visits = 0;
    int64_t repeats = 0;  // pages one behind the other that said nothing new
    State state = State::novel;
    std::vector<text::Sketch> last;  // of the pages compared last
  };
  void forget();

  std::unordered_map<uint64_t, uint32_t> few_;  // visits of patterns that have few, by their hash
  std::unordered_map<std::string, Pattern> many_;
  size_t repeating_ = 0;
};

}  // namespace caddis::frontier
