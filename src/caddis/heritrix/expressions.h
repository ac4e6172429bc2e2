// Placeholders in values: what Spring, Heritrix and NetarchiveSuite put in place of them.
#pragma once

#include <string>
#include <string_view>

#include "caddis/heritrix/import_report.h"

namespace caddis::heritrix {

// Said of a mark of a template ("%{MAX_TIME_SECONDS_PLACEHOLDER}") that no table knows.
inline constexpr std::string_view kTemplateMark =
    "a mark of a template, which NetarchiveSuite fills in for each job: import the crawler-beans.cxml of a job, or set "
    "it by hand";

// The fate of what a template leaves open, and what is said of it: most of it is brought by each job of `caddis harvest`, too.
struct OpenMark {
  Fate fate = Fate::without;
  std::string_view said = kTemplateMark;
};
OpenMark open_mark(std::string_view text);

// Returns the text with the defaults of its expressions in their places: "#{systemEnvironment['X'] ?: 'y'}", "${X:y}", and
// the attributes of configurations of NetarchiveSuite, "%{MAX_HOPS}". That is noted of the item. Heritrix's own
// ${launchId}, ${prefix} and so on stay.
std::string without_expressions(const std::string& text, ItemId item, ImportReport& report);

// Whether something is left open in it, so that it is no value.
bool is_open(std::string_view text);

}  // namespace caddis::heritrix
