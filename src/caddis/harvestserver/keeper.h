// Keeps the files of the archive in all its stores: copies what has come to the replicas, reads every file again after some
// time and compares its digest, and puts back what people want to be repaired, from a store that has it whole.
//
// A store that cannot be reached is left out for a minute. One `step` at a time, on a worker; waits for disks and networks.
#pragma once

#include <functional>
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

  // A part of a file from the store at that place among the names. Whoever asks compares the digest of the whole. Any thread.
  Result<std::string> read_part(size_t store, const KeptFile& file, uint64_t at, uint64_t size) const;

  // Some files. True if there may be more to do at once.
  Result<bool> step();
  // Asked before each file and while files are read, by any thread: true if `step` is to end soon.
  void stop_when(std::function<bool()> asked) { stops_ = std::move(asked); }

 private:
  Keeper(const ReplicaWorld& world, sql::Database& database, const HarvestSettings& settings, std::string scratch)
      : world_(world), database_(database), settings_(settings), scratch_(std::move(scratch)) {}
  int64_t now() const;
  bool is_stopping() const { return stops_ && stops_(); }
  std::vector<std::string> stores_in_reach() const;
  bool is_away(const std::string& store) const;
  void leave_out(const std::string& store) { away_since_[store] = now(); }
  Result<std::string> digest_of(const harvest::Copy& copy) const;
  harvest::Copy looked_at(harvest::Copy copy);
  harvest::Copy made(harvest::Copy copy);
  Result<std::string> fetch(const harvest::Copy& copy);
  Result<void> keep(const harvest::Copy& copy);

  const ReplicaWorld world_;
  sql::Database& database_;
  const HarvestSettings& settings_;
  const std::string scratch_;
  int64_t noticed_ = 0;  // an id of stored_files
  std::vector<std::string> names_;
  std::map<std::string, std::unique_ptr<Replica>> stores_;
  std::map<std::string, int64_t> away_since_;
  std::function<bool()> stops_;
};

}  // namespace caddis::harvestserver
