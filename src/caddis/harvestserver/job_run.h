// One job of a harvester, from its order to its end: files are written, the crawl is launched and looked at, what it has
// brought is handed over and documented, and the server is told. Each step finds out what was done already, so that a job
// can be gone on with after any death.
//
// One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/collection/launch.h"
#include "caddis/engine/jobs.h"
#include "caddis/harvestserver/crawl_questions.h"
#include "caddis/harvestserver/harvester.h"
#include "caddis/harvestserver/json.h"
#include "caddis/harvestserver/server_link.h"

namespace caddis::harvestserver {

class JobRun {
 public:
  // The folder of the order is that of the engine's job with its number.
  JobRun(const engine::JobWorld& world, engine::Jobs& jobs, const ServerLink& link, const HarvesterOptions& options,
         Order order);
  // True when the server knows all of it, and its folder is gone.
  Result<bool> step();
  int64_t number() const { return order_.job; }

 private:
  // For the server the job is with this harvester, as far as is known; has failed, and what there is of it is still wanted;
  // has ended, whatever becomes of the crawl; has ended, and is in the archive.
  enum class Fate : uint8_t { open, given_up, lost, delivered };
  struct Standing {
    harvest::JobState state = harvest::JobState::failed;
    bool takes_files = false;
  };

  Result<std::shared_ptr<engine::Job>> find() const;
  Result<void> prepare();
  Result<void> begin(engine::Job& job);
  Result<bool> may_begin(engine::Job& job);
  Result<void> end_unbegun(std::string_view why, const std::string& details);
  Result<void> tell_start(engine::Job& job);
  Result<std::optional<std::string>> tell_progress(engine::Job& job, bool is_started);
  Result<void> bear_refusal(engine::Job& job, const Error& why);
  Result<std::optional<Standing>> ask_standing() const;
  Result<void> watch(engine::Job& job);
  Result<void> look_at_wishes(engine::Job& job);
  Result<void> take_wishes(engine::Job& job, const std::string& json);
  Result<void> follow(engine::Job& job, const std::string& wish);
  Result<void> change_settings(const engine::Job& job, const std::string& settings) const;
  QuestionedCrawl questioned(const engine::Job& job, bool has_ended) const;
  Result<bool> go_on_after_death(engine::Job& job);
  Result<void> finish(engine::Job& job);
  Result<bool> may_hand_over(engine::Job& job, SteadyTime now);
  Result<void> leave_behind();
  Result<std::string> document(const engine::Job& job) const;
  Result<void> hand_over(const collection::Launch& launch);
  Result<void> hand_over_metadata(const engine::Job& job) const;
  Result<void> send(const std::string& path, std::string_view kind) const;
  Result<void> tell_end(const GivenEnd& end) const;
  Result<void> put_away(bool is_handed_over);
  std::string path(std::string_view verb) const;
  std::string old_folder() const;

  const engine::JobWorld& world_;
  engine::Jobs& jobs_;
  const ServerLink& link_;
  const HarvesterOptions& options_;
  const Order order_;
  std::optional<std::string> wish_;  // as it was followed last
  std::string settings_problem_;     // as it was logged last
  struct Upload {
    std::set<std::string> handed;  // files that are in the archive
    int tries = 0;
    SteadyTime next;
  };
  Upload upload_;
  struct Attempts {
    int failed = 0;
    SteadyTime next;
  };
  Attempts attempts_;                        // to prepare it, then to count what it has brought
  std::optional<SteadyTime> refused_since_;  // the server says that the job is not with this harvester
  Fate fate_ = Fate::open;
  CrawlQuestions questions_;
  SteadyTime next_progress_, next_wishes_;
  bool is_over_ = false;
};

}  // namespace caddis::harvestserver
