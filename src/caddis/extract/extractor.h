// The table of extractors. An extractor looks for links in documents of some kinds, or in the links that are known
// already. Internal to extract, but for the table: settings, reports and docs/extractors.md go by it.
//
// Which of them run, and in which order, says `extract.extractors` (settings.h). Rows are constants; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"

namespace caddis::extract {

class LinkSink;
struct Reading;

struct Extractor {
  std::string_view name;      // in extract.extractors, and in the processors report
  std::string_view heritrix;  // the classes of Heritrix that do this; empty: none does
  std::string_view doc;       // a sentence for users
  bool is_usual;              // on unless the setting says otherwise
  bool (*reads)(const Reading& reading);
  void (*run)(Reading& reading, LinkSink& sink);
};

// The one that reads whatever no other has read.
inline constexpr std::string_view kUniversal = "universal";

// In their usual order.
std::span<const Extractor> extractors();
// Null if there is none of that name.
const Extractor* find_extractor(std::string_view name);

// Checks an item of extract.extractors: a name, or one with '+' or '-' before it.
Result<void> known_extractor(std::string_view item);

// Returns the extractors that `items` name, each once. If the first item has a '+' or '-', all of them change the usual
// list: "-css" takes one out of it, "+universal" puts one at its end.
std::vector<const Extractor*> chosen_extractors(const std::vector<std::string>& items);

// Returns docs/extractors.md.
std::string extractors_markdown();

}  // namespace caddis::extract
