// Tells people by webhook and mail what happens in an archive while nobody looks: conditions in the database
// (src/caddis/harvest/notices.h), and warnings and errors in the log of the server. What the log says of such a condition is
// left out, and a line that comes again within a day is told once.
//
// One loop; `look` and `hears` may be called by any thread.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "caddis/aio/loop.h"
#include "caddis/aio/task.h"
#include "caddis/alerts/alert_desk.h"
#include "caddis/harvestserver/parts.h"

namespace caddis::harvestserver {

class Announcer {
 public:
  // All of it outlives the announcer.
  Announcer(aio::Loop& loop, alerts::Webhook& webhook, process::Programs& programs, const Parts& parts,
            alerts::Subject subject);

  // Looks into the database for what is new. `since`: from when on harvesters could be heard.
  void look(int64_t since);
  // To be called about once a second.
  void tick() { desk_.tick(parts_.settings.alerts); }
  // Sends what is left.
  aio::Task<void> close() { return desk_.close(parts_.settings.alerts); }

 private:
  bool hears(std::string_view module, std::string_view text);

  const Parts& parts_;
  std::mutex mutex_;  // guards the next one
  std::map<std::string, int64_t, std::less<>> heard_;
  alerts::AlertDesk desk_;  // last: its tap ends first
};

}  // namespace caddis::harvestserver
