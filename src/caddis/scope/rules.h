// The rules of a scope that may differ between sites: settings, and the list that they stand for.
//
// Immutable, any thread. Copies share what is compiled, so that rules for many sites that differ in numbers cost
// little.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/scope/rule_list.h"
#include "caddis/scope/scope_settings.h"
#include "caddis/scope/shorthand.h"

namespace caddis::io {
class Files;
}  // namespace caddis::io

namespace caddis::scope {

// Reads a file that a rule or a guard names.
Result<std::string> read_rule_file(const std::string& path);
// The same on another disk.
Result<std::string> read_rule_file_of(io::Files& files, const std::string& path);
// Reads nothing, and takes files for empty: for checks of what is written alone.
Result<std::string> read_no_file(const std::string& path);

struct SiteRules {
  ScopeSettings settings;
  std::shared_ptr<const RuleList> list;
  PatternsLike patterns;  // of the settings

  // Compiled lists of expressions that one of `like` has, too, are taken from there. Fails on an expression that is
  // none, and on a rule that is none, and names it. Rules that are written alike are taken from there, too, so that
  // their files are not read again.
  static Result<SiteRules> create(const ScopeSettings& settings, const std::vector<const SiteRules*>& like = {},
                                  const ReadFile& read = read_rule_file);
};

// ErrorCode::config for settings of which nobody would ask, and for a scope that is empty. Reads no files.
Result<void> validate(const ScopeSettings& settings);

// Returns what is wrong with a line of scope.rules. Reads no files: they may have gone since.
Result<void> check_rule(std::string_view text);

}  // namespace caddis::scope
