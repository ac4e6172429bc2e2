// The listeners of modules: they hear what becomes of visits and of the crawl, and write reports of their own. What they
// keep is a row of the state, in the same group as the visits that it speaks of.
//
// Belongs to the crawl's loop.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/commit/participant.h"
#include "caddis/config/settings.h"
#include "caddis/crawl/crawl_state_listener.h"
#include "caddis/crawl/visit_listeners.h"
#include "caddis/modules/loaded_module.h"
#include "caddis/modules/module_values.h"
#include "caddis/store/kv.h"

namespace caddis::crawl {

// A text for reports/NAME-report.txt.
struct ModuleReport {
  std::string name, text;
};

class ModuleListeners final : public commit::CommitParticipant, public DispositionListener, public CrawlStateListener {
 public:
  // Makes the listeners of the modules that the settings name.
  explicit ModuleListeners(const config::Settings& settings);
  // Gives them back what they kept.
  Result<void> restore(store::Kv& kv);
  // Listeners whose settings have changed are made anew, and get what they knew.
  void follow(const config::Settings& settings);

  void on_final(visit::VisitResult& result) override;
  void on_event(const CrawlEvent& event) override;
  void stage(commit::CommitGroup& group) override;

  // Reports without a text are left out.
  std::vector<ModuleReport> reports();

 private:
  struct Heard {
    const modules::LoadedModule* module = nullptr;
    std::unique_ptr<const modules::ModuleSections> values;
    std::unique_ptr<modules::ModuleValues> settings;
    std::unique_ptr<modules::Listener> listener;
    bool has_changed = false;  // since the last group
  };
  // The error is on the module's record if it cannot be made.
  static std::optional<Heard> make(const modules::LoadedModule& module, const config::Settings& settings,
                                   std::string_view when);
  // Calls `what`; an error is on the module's record.
  template <class Call>
  static void tell(Heard& heard, std::string_view subject, Call what);

  std::vector<Heard> all_;
};

}  // namespace caddis::crawl
