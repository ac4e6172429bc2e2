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

ModuleListeners::ModuleListeners(const config::Settings& settings) : values_(settings.modules.sections) {
  for (const modules::LoadedModule* module : modules::modules_of(settings.modules.load)) {
    if (!module->description().make_listener) continue;
    Heard heard{module, std::make_unique<modules::ModuleValues>(*module, values_), nullptr};
    try {
      heard.listener = module->make_listener(*heard.settings);
      all_.push_back(std::move(heard));
    } catch (const std::exception& error) {
      module->errors().record("listener", error.what(), "the start of the crawl");
    }
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
