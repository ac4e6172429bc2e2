// Fetches the files of a job from the server into its folder: those that it is made of, and the digest indexes of earlier jobs, whose
// payloads it does not store again. Such an index only saves room: one that no store of the archive has whole, or that the crawl could
// not open, is left out, and that is told to the server, to job.log and in duplicatereductionjobs.txt.
//
// One thread. What is there already and is whole is not fetched again.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/dedup/index_key.h"
#include "caddis/engine/job_world.h"
#include "caddis/harvest/earlier_jobs.h"
#include "caddis/harvestserver/json.h"
#include "caddis/harvestserver/server_link.h"

namespace caddis::harvestserver {

class JobFetch {
 public:
  // Asked between two files, and two copies of one: false if there is no more need.
  using GoesOn = std::function<Result<bool>()>;
  // `harvester`: its name. All outlive this.
  JobFetch(const engine::JobWorld& world, const ServerLink& link, const std::string& harvester, const Order& order)
      : world_(world), files_(world.files), link_(link), harvester_(harvester), order_(order) {}

  // False if `goes_on` has said so. ErrorCode::not_found and ErrorCode::parse: the job has no such files, and never will.
  // `is_last`: it is not tried again, so an index is left out whatever the reason.
  Result<bool> fetch(const std::string& folder, bool is_last, const GoesOn& goes_on);
  // Indexes that were not had as they should be; without words if all were.
  const harvest::EarlierTrouble& trouble() const { return trouble_; }
  Result<void> tell_trouble() const;

 private:
  // A store may give a file a moment later that it cannot give now.
  enum class CopyState : uint8_t { whole, flawed, away, no_store };
  struct Copy {
    CopyState state = CopyState::flawed;
    std::string why = {};
  };
  Result<bool> fetch_earlier(const std::string& folder, bool is_last, const GoesOn& goes_on);
  Result<std::optional<Copy>> fetch_index(const EarlierFile& file, const std::string& to, const GoesOn& goes_on);
  Result<Copy> fetch_copy(const EarlierFile& file, int copy, const std::string& to) const;
  std::string why_unusable(const std::string& index) const;
  Result<void> write_file(const std::string& folder, const std::string& name) const;
  Result<void> name_earlier(const std::string& folder) const;
  std::string against() const;
  std::string path(std::string_view rest) const;

  const engine::JobWorld& world_;
  io::Files& files_;
  const ServerLink& link_;
  const std::string& harvester_;
  const Order& order_;
  std::optional<dedup::IndexKey> key_;  // of the crawl
  std::vector<std::string> named_;      // indexes in its settings
  std::vector<std::string> known_;      // paths of indexes
  std::vector<int64_t> used_;           // their jobs
  harvest::EarlierTrouble trouble_;
};

}  // namespace caddis::harvestserver
