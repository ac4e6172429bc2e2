// A module that this process has loaded: what it offers, its table of settings, its errors.
//
// Lives as long as the process. Any thread.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/modules/module.h"
#include "caddis/modules/module_errors.h"
#include "caddis/settings/schema.h"

namespace caddis::modules {

// Whether it can be the name of a module or a setting: lower case letters, digits and hyphens, a letter first.
bool is_name(std::string_view text);

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
  // As the description makes them; a std::exception if it does not.
  std::unique_ptr<Rule> make_rule(std::string_view arguments) const { return made(description_.make_rule(arguments)); }
  std::unique_ptr<Step> make_step() const { return made(description_.make_step()); }
  std::unique_ptr<Listener> make_listener(const Values& values) const {
    return made(description_.make_listener(values));
  }
  std::unique_ptr<Policy> make_policy(const Values& values) const { return made(description_.make_policy(values)); }
  std::unique_ptr<Frontier> make_frontier(const Values& values) const {
    return made(description_.make_frontier(values));
  }
  // False if the module's file has not changed, or cannot be read again at all. After a change the errors are forgotten.
  Result<bool> reload() const;

 private:
  LoadedModule(Description description, std::string path, Reload reload)
      : description_(std::move(description)),
        path_(std::move(path)),
        reload_(std::move(reload)),
        errors_(description_.name) {}

  template <class T>
  static std::unique_ptr<T> made(std::unique_ptr<T> object) {
    if (object == nullptr) throw std::runtime_error("the module has made nothing");
    return object;
  }

  const Description description_;
  const std::string path_;
  const Reload reload_;
  std::unique_ptr<const settings::Schema> schema_;
  std::vector<settings::Value> defaults_;
  mutable ModuleErrors errors_;
};

}  // namespace caddis::modules
