// The things that the server's handlers work with. All of it outlives them, and may be used by any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "caddis/base/clock.h"
#include "caddis/harvest/edit.h"
#include "caddis/harvestserver/settings.h"
#include "caddis/harvestserver/store.h"
#include "caddis/harvestserver/tally.h"
#include "caddis/harvestserver/unpacked_jobs.h"
#include "caddis/io/files.h"
#include "caddis/sql/database.h"

namespace caddis::harvestserver {

class JobViews;
class Keeper;

struct Parts {
  sql::Database& database;
  io::Files& files;
  const Clock& clock;
  const ServerSettings& settings;
  Store& store;
  UnpackedJobs& unpacked;
  std::string replay;        // the address of the pages that were harvested, if another server shows them
  std::string started;       // of the server, as a time
  Keeper* keeper = nullptr;  // of the files in all stores; null: in tests
  // The archive, shown by this process: its port (0: it is not), single jobs, and those that have just been made. Null if it
  // is not.
  uint16_t replay_port = 0;
  JobViews* views = nullptr;
  std::function<Result<void>(const std::string& name)> show_at_once = {};
  std::function<void()> look_now = {};  // for harvests whose date has come
  // Tells people of what is new; `since`: from when on harvesters could be heard. Null: nobody is told.
  std::function<void(int64_t since)> announce = {};
  std::shared_ptr<Tally> tally = std::make_shared<Tally>();

  int64_t now() const;
};

}  // namespace caddis::harvestserver
