// Copies of an embedded database in a folder, one in each interval, of which so many are kept. Intervals go on over restarts of
// the server: the first copy is made when the newest that is there is old enough.
//
// One thread; a look waits for the database and the disk.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/harvestserver/settings.h"
#include "caddis/io/files.h"
#include "caddis/sql/database.h"

namespace caddis::harvestserver {

class Backups {
 public:
  // All of it must outlive it.
  Backups(sql::Database& database, io::Files& files, const Clock& clock, const HarvestSettings& settings,
          std::string folder)
      : database_(database), files_(files), clock_(clock), settings_(settings), folder_(std::move(folder)) {}

  // Makes a copy if it is time. One that fails is tried again an interval later.
  Result<void> look();

 private:
  Result<std::vector<std::string>> names() const;
  // When the first copy is due that this process makes.
  Result<SteadyTime> first() const;
  Result<void> make() const;

  sql::Database& database_;
  io::Files& files_;
  const Clock& clock_;
  const HarvestSettings& settings_;
  const std::string folder_;
  std::optional<SteadyTime> next_;
};

}  // namespace caddis::harvestserver
