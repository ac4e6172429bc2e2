#include "caddis/crawl/module_listeners.h"

#include <chrono>
#include <exception>
#include <utility>

#include "caddis/commit/commit_group.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/modules/registry.h"
#include "caddis/visit/visit_result.h"

namespace caddis::crawl {
namespace {

modules::Finished finished(const visit::LoggedVisit& visited) {
  const visit::LogEntry& entry = visited.entry;
  return {.url = entry.url,
          .host = visited.host,
          .hops = entry.hops,
          .via = entry.via,
          .seed = entry.seed,
          .mime = entry.mime,
          .digest = entry.digest,
          .status = entry.status,
          .size = entry.size,
          .duration = std::chrono::duration_cast<std::chrono::milliseconds>(entry.duration).count(),
          .is_seed = visited.is_seed,
          .is_prerequisite = visited.is_prerequisite};
}

std::string row_of(const modules::LoadedModule& module) { return std::string(kModuleRow) + module.name(); }

}  // namespace

template <class Call>
void ModuleListeners::tell(Heard& heard, std::string_view subject, Call what) {
  modules::ModuleErrors& errors = heard.module->errors();
  if (errors.is_off()) return;
  try {
    what(*heard.listener);
    heard.has_changed = true;
  } catch (const std::exception& error) {
    errors.record("listener", error.what(), subject);
  }
}

std::optional<ModuleListeners::Heard> ModuleListeners::make(const modules::LoadedModule& module,
                                                            const config::Settings& settings, std::string_view when) {
  Heard heard{&module, std::make_unique<const modules::ModuleSections>(settings.modules.sections), nullptr, nullptr};
  heard.settings = std::make_unique<modules::ModuleValues>(module, *heard.values);
  try {
    heard.listener = module.make_listener(*heard.settings);
    return heard;
  } catch (const std::exception& error) {
    module.errors().record("listener", error.what(), when);
    return std::nullopt;
  }
}

ModuleListeners::ModuleListeners(const config::Settings& settings) {
  for (const modules::LoadedModule* module : modules::modules_of(settings.modules.load)) {
    if (!module->description().make_listener) continue;
    if (auto heard = make(*module, settings, "the start of the crawl")) all_.push_back(*std::move(heard));
  }
}

void ModuleListeners::follow(const config::Settings& settings) {
  for (Heard& heard : all_) {
    if (!heard.values->differ(settings.modules.sections, *heard.module)) continue;
    auto made = make(*heard.module, settings, "a change of its settings");
    if (!made) continue;
    std::string known;
    bool is_known = false;
    tell(heard, "a change of its settings", [&](modules::Listener& listener) {
      known = listener.state();
      is_known = true;
    });
    if (!is_known) continue;
    heard.listener = std::move(made->listener);  // the former one may read its settings as it goes
    heard.settings = std::move(made->settings);
    heard.values = std::move(made->values);
    if (!known.empty())
      tell(heard, "a change of its settings", [&](modules::Listener& listener) { listener.restore(known); });
  }
}

Result<void> ModuleListeners::restore(store::Kv& kv) {
  for (Heard& heard : all_) {
    TRY(const auto row, kv.get(kMeta, row_of(*heard.module)));
    if (row) tell(heard, "the start of the crawl", [&](modules::Listener& listener) { listener.restore(*row); });
    heard.has_changed = false;
  }
  return {};
}

void ModuleListeners::on_final(visit::VisitResult& result) {
  for (Heard& heard : all_)
    for (const visit::LoggedVisit& visited : result.visited)
      tell(heard, visited.entry.url, [&](modules::Listener& listener) { listener.finished(finished(visited)); });
}

void ModuleListeners::on_event(const CrawlEvent& event) {
  if (event.source == CrawlEvent::Source::module) return;
  for (Heard& heard : all_) tell(heard, event.text, [&](modules::Listener& listener) { listener.event(event.text); });
}

void ModuleListeners::stage(commit::CommitGroup& group) {
  for (Heard& heard : all_) {
    if (!std::exchange(heard.has_changed, false)) continue;
    std::string kept;
    tell(heard, "a commit", [&](modules::Listener& listener) { kept = listener.state(); });
    heard.has_changed = false;
    if (kept.empty())
      group.batch().erase(kMeta, row_of(*heard.module));
    else
      group.batch().put(kMeta, row_of(*heard.module), kept);
  }
}

std::vector<ModuleReport> ModuleListeners::reports() {
  std::vector<ModuleReport> reports;
  for (Heard& heard : all_) {
    std::string text;
    tell(heard, "the report", [&](modules::Listener& listener) { text = listener.report(); });
    if (!text.empty()) reports.push_back({heard.module->name(), std::move(text)});
  }
  return reports;
}

}  // namespace caddis::crawl
