// Keeps the files of the archive in all its stores: copies what has come to the replicas, reads every file again after some
// time and compares its digest, and puts back what people want to be repaired, from a store that has it whole.
//
// One call at a time, on a worker; waits for disks and networks.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/harvest/copies.h"
#include "caddis/harvestserver/replica.h"
#include "caddis/harvestserver/settings.h"
#include "caddis/sql/database.h"

namespace caddis::harvestserver {

class Keeper {
 public:
  // `data`: the folder of the server. ErrorCode::config for replicas that are none.
  static Result<std::unique_ptr<Keeper>> open(const ReplicaWorld& world, sql::Database& database,
                                              const HarvestSettings& settings, const std::string& data);

  // The names of all stores, the archive first.
  const std::vector<std::string>& names() const { return names_; }
  bool has(const std::string& store) const { return stores_.contains(store); }
  std::string words_of(const std::string& store) const { return stores_.at(store)->words(); }

  // Some files. True if there may be more to do at once.
  Result<bool> step();

 private:
  Keeper(const ReplicaWorld& world, sql::Database& database, const HarvestSettings& settings, std::string scratch)
      : world_(world), database_(database), settings_(settings), scratch_(std::move(scratch)) {}
  int64_t now() const;
  harvest::Copy looked_at(harvest::Copy copy) const;
  harvest::Copy made(harvest::Copy copy);
  Result<std::string> fetch(const harvest::Copy& copy, const std::string& except);
  Result<void> keep(const harvest::Copy& copy);

  const ReplicaWorld world_;
  sql::Database& database_;
  const HarvestSettings& settings_;
  const std::string scratch_;
  int64_t noticed_ = 0;  // an id of stored_files
  std::vector<std::string> names_;
  std::map<std::string, std::unique_ptr<Replica>> stores_;
};

}  // namespace caddis::harvestserver
