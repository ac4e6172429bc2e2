// Looks after the modules of a crawl while it runs: files that have changed are read again, and what modules say, and their
// errors, go into the log of the crawl.
//
// Belongs to the crawl's loop.
#pragma once

#include <string>
#include <vector>

#include "caddis/aio/blocking.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/task.h"
#include "caddis/base/clock.h"
#include "caddis/modules/loaded_module.h"
#include "caddis/modules/modules_settings.h"

namespace caddis::crawl {

class EventLog;

class ModuleWatch {
 public:
  // Files are looked at this often.
  static constexpr Duration kRereadEvery = std::chrono::seconds(10);

  // All but the settings must outlive it. Their bounds hold from now on.
  ModuleWatch(aio::Loop& loop, aio::Blocking& blocking, EventLog& log, const modules::ModulesSettings& settings);

  // Passes on what modules have said since the last call.
  void report();
  // Whether it is time to look at the files; true once, until `reread` has ended.
  bool is_due();
  aio::Task<void> reread();

 private:
  aio::Loop& loop_;
  aio::Blocking& blocking_;
  EventLog& log_;
  const std::vector<const modules::LoadedModule*> modules_;
  SteadyTime last_{};
  bool is_reading_ = false;
};

}  // namespace caddis::crawl
