#include "caddis/scope/condition.h"

#include <fmt/format.h>

#include "caddis/base/strings.h"

namespace caddis::scope {
namespace {

Result<std::vector<std::string>> lines_of(const ReadFile& read, std::string_view path) {
  TRY(const std::string text, read(std::string(path)));
  std::vector<std::string> lines;
  for (std::string_view line : split(text, '\n')) {
    line = trim(line);
    if (!line.empty() && !line.starts_with('#')) lines.emplace_back(line);
  }
  return lines;
}

std::unexpected<Error> nothing_given() { return fail(ErrorCode::config, "it says nothing to compare with"); }

}  // namespace

Result<std::vector<std::string>> Arguments::items() const {
  std::vector<std::string> items;
  for (const std::string_view word : split(text, ' ')) {
    if (word.empty()) continue;
    if (!word.starts_with('@')) {
      items.emplace_back(word);
      continue;
    }
    TRY(auto lines, lines_of(read, word.substr(1)));
    items.insert(items.end(), std::make_move_iterator(lines.begin()), std::make_move_iterator(lines.end()));
  }
  // An empty file is a list of nothing; an empty text is a mistake.
  if (items.empty() && text.empty()) return nothing_given();
  return items;
}

Result<std::vector<std::string>> Arguments::patterns() const {
  if (text.empty()) return nothing_given();
  std::vector<std::string> patterns = {std::string(text)};
  if (text.starts_with('@')) {
    TRY(patterns, lines_of(read, text.substr(1)));
  }
  for (const std::string& pattern : patterns)
    if (pattern.find(' ') != pattern.npos)
      return fail(
          ErrorCode::config,
          fmt::format("'{}' holds a blank, so it is found nowhere: one expression goes to the end of the rule, and "
                      "'and' is followed by a condition (a blank itself is written \\s)",
                      pattern));
  return patterns;
}

}  // namespace caddis::scope
