// A module that this process has loaded: what it offers, its table of settings, its errors.
//
// Lives as long as the process. Any thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/modules/module.h"
#include "caddis/modules/module_errors.h"
#include "caddis/settings/schema.h"

namespace caddis::modules {

class LoadedModule {
 public:
  // Reads the module's file again, and returns whether it has changed. An error leaves what was there.
  using Reload = std::function<Result<bool>()>;
  // ErrorCode::config for a description that cannot be: without a name, with a setting whose default is none.
  static Result<std::unique_ptr<LoadedModule>> create(Description description, std::string path,
                                                      Reload reload = nullptr);

  const std::string& name() const { return description_.name; }
  const std::string& path() const { return path_; }
  const Description& description() const { return description_; }
  // The section of crawl.yaml that has the module's name; null if it has no settings.
  const settings::Schema* schema() const { return schema_.get(); }
  // The values of that section where nobody has set them.
  const std::vector<settings::Value>& defaults() const { return defaults_; }
  ModuleErrors& errors() const { return errors_; }
  // False if the module's file has not changed, or cannot be read again at all. After a change the errors are forgotten.
  Result<bool> reload() const;

 private:
  LoadedModule(Description description, std::string path, Reload reload)
      : description_(std::move(description)),
        path_(std::move(path)),
        reload_(std::move(reload)),
        errors_(description_.name) {}

  const Description description_;
  const std::string path_;
  const Reload reload_;
  std::unique_ptr<const settings::Schema> schema_;
  std::vector<settings::Value> defaults_;
  mutable ModuleErrors errors_;
};

}  // namespace caddis::modules
