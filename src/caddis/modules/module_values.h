// The settings of modules: their tables, which a module brings along, and their values, which stand beside those of
// Caddis's own sections in crawl.yaml, sheets and options.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/modules/module.h"
#include "caddis/settings/sections.h"

namespace caddis::modules {

class LoadedModule;

// The table of a module's settings; names and docs are borrowed from the description, which must live as long as the
// process. ErrorCode::config names a setting that cannot be.
Result<std::unique_ptr<const settings::Schema>> schema_of_module(const Description& description);

// The values of all modules that are loaded, defaults where none was set. A plain value; belongs to its owner.
class ModuleSections {
 public:
  // One of each module of these files that has settings, in the order in which they were loaded.
  settings::Sections sections(std::span<const std::string> files);
  settings::ConstSections sections(std::span<const std::string> files) const;
  // The values of one module.
  settings::ConstSection of(const LoadedModule& module) const;
  // Whether the others have other values of that module.
  bool differ(const ModuleSections& others, const LoadedModule& module) const;

 private:
  using Fields = std::vector<settings::Value>;
  std::map<std::string, Fields, std::less<>> values_;  // by module
};

// The settings of one module, as the module reads them. Borrows both.
class ModuleValues final : public Values {
 public:
  ModuleValues(const LoadedModule& module, const ModuleSections& sections);

  Kind kind(std::string_view name) const override;
  bool flag(std::string_view name) const override;
  int64_t number(std::string_view name) const override;
  double real(std::string_view name) const override;
  std::string text(std::string_view name) const override;
  std::vector<std::string> list(std::string_view name) const override;

 private:
  settings::Value value(std::string_view name) const;

  settings::ConstSection section_;  // without a schema if the module has no settings
};

}  // namespace caddis::modules
