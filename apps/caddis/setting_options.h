// Command-line options made from settings tables: a row that names an option ("--max-hops") gets one; --set takes any
// setting by its name.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "caddis/settings/sections.h"

namespace CLI {
class App;
}

namespace caddis::config {
struct Settings;
}

namespace caddis::cli {

// Owned by the command's callback: parsing fills it, `apply` is called afterwards, once the file has been loaded.
class SettingOptions {
 public:
  // One option per row with an option's name; lists may be given several times, truths without a value.
  void add(CLI::App& command, const settings::Schema& schema);
  // --set SECTION.NAME=VALUE, repeatable; several of one list make its items.
  void add_set(CLI::App& command);
  // Returns true if none was given.
  bool empty() const;
  // Sets what was given by options of that section alone, --set left out: what it says decides which sections there are.
  Result<void> apply_options(const settings::Section& section) const;
  // Sets what was given on the command line, in `into`'s sections; those that hold another schema are left. --set comes
  // last. ErrorCode::config if it names no setting of these sections, or the value is none.
  Result<void> apply(const settings::Sections& into) const;

 private:
  struct Given {
    const settings::Schema* schema;
    const settings::Field* field;
    std::vector<std::string> values;
  };
  Result<void> apply_set(const settings::Sections& into) const;

  std::vector<std::unique_ptr<Given>> given_;  // the parser keeps pointers into them
  std::vector<std::string> set_;               // "scope.max-hops=3"
};

// Loads the modules that are given on the command line, besides those that the settings name. To be called before files
// are read, which may name their steps and settings.
Result<void> load_given_modules(const SettingOptions& options, config::Settings& settings);

}  // namespace caddis::cli
