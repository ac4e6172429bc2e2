// Rules of other programs: the JSON of OutbackCDX (rules and policies) and the lines of pywb (.aclj), read and written.
// A thing that the other side cannot say is left out, and told. docs/formats/access-rules.md has the tables. OutbackCDX is told
// nothing by which it would show more, except where that is told, too.
//
// Pure functions, any thread; bounded as the file of our own is (rule_file.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/viewing/rule_set.h"

namespace caddis::viewing {

struct ImportedRules {
  RuleList list;
  std::vector<std::string> remarks;  // what is different here, in words for people
};
struct ExportedRules {
  std::string text;
  std::vector<std::string> remarks;
};

// `rules` is what GET /<collection>/access/rules answers, `policies` what …/access/policies does. A policy's access points
// are groups here; what is of the access point "public" is for everybody.
Result<ImportedRules> import_outback(std::string_view rules, std::string_view policies);
struct OutbackTexts {
  std::string rules, policies;
  std::vector<std::string> remarks;
};
OutbackTexts export_outback(const RuleList& list);

// Lines "surt - {json}".
Result<ImportedRules> import_aclj(std::string_view text);
// In reverse order of their keys, as pywb wants them.
ExportedRules export_aclj(const RuleList& list);

}  // namespace caddis::viewing
