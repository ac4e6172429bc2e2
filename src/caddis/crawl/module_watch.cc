#include "caddis/crawl/module_watch.h"

#include <fmt/format.h>

#include <functional>
#include <utility>

#include "caddis/crawl/event_log.h"
#include "caddis/modules/registry.h"

namespace caddis::crawl {

ModuleWatch::ModuleWatch(aio::Loop& loop, aio::Blocking& blocking, EventLog& log,
                         const modules::ModulesSettings& settings)
    : loop_(loop),
      blocking_(blocking),
      log_(log),
      modules_(modules::modules_of(settings.load)),
      last_(loop.clock().steady()) {
  modules::apply_bounds(settings);
}

void ModuleWatch::report() {
  for (const modules::LoadedModule* module : modules_)
    for (const std::string& said : module->errors().take()) log_.report(CrawlEvent::Source::module, said);
}

bool ModuleWatch::is_due() {
  if (modules_.empty() || is_reading_ || loop_.clock().steady() - last_ < kRereadEvery) return false;
  return is_reading_ = true;
}

aio::Task<void> ModuleWatch::reread() {
  std::vector<std::string> said;
  std::function<void()> work = [&] {
    for (const modules::LoadedModule* module : modules_) {
      const auto changed = module->reload();
      if (!changed)
        said.push_back(fmt::format("module {}: its file has changed, and what was loaded before goes on: {}",
                                   module->name(), changed.error().message));
      else if (*changed)
        said.push_back(fmt::format("module {}: its file has changed, and was read again", module->name()));
    }
  };
  co_await blocking_.run(loop_, std::move(work));
  for (const std::string& sentence : said) log_.report(CrawlEvent::Source::module, sentence);
  last_ = loop_.clock().steady();
  is_reading_ = false;
}

}  // namespace caddis::crawl
