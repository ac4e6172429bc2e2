// Questions that people have asked of one crawl: answered at once if that takes a moment; deletions and counts of what waits
// part by part, a second of them at each `step`, so that their harvester does everything else in between.
//
// Scripts and deletions are done once, also if this process ends meanwhile: what was begun is written down in the folder of
// the job. A deletion that was interrupted goes on where it was; how many URLs its last part has deleted is not known then, and
// the answer says so. An answer is kept until the server has it.
//
// One thread; waits for the crawl and the server.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/collection/launch.h"
#include "caddis/control/control_client.h"
#include "caddis/control/deletion.h"
#include "caddis/harvest/questions.h"
#include "caddis/harvestserver/json.h"
#include "caddis/harvestserver/server_link.h"
#include "caddis/io/files.h"

namespace caddis::harvestserver {

// How a crawl is asked.
struct QuestionedCrawl {
  std::string folder;  // of its job
  std::function<Result<std::string>(const control::Question& question, Duration patience)> ask;
  std::function<Result<collection::Launch>()> launch;
  bool has_ended = false;  // nobody goes on with a deletion then
};

class CrawlQuestions {
 public:
  // `path`: of the job among what the server's API has for its harvester. All else outlives it.
  CrawlQuestions(io::Files& files, const Clock& clock, const ServerLink& link, std::string path,
                 Duration tell_interval);
  // All that the server has open: those that it does not name are forgotten.
  void take(const QuestionedCrawl& crawl, const std::vector<harvest::CrawlQuestion>& questions);
  // Goes on with what takes long.
  void step(const QuestionedCrawl& crawl);

 private:
  struct Deletion {
    int64_t question = 0;
    DeletionOrder order;
    control::PartWalk walk;
    bool was_interrupted = false;
    SteadyTime next_tell = {};
  };

  void forget_all_but(const std::vector<harvest::CrawlQuestion>& questions);
  void find_answer(const QuestionedCrawl& crawl, const harvest::CrawlQuestion& question);
  Result<void> begin(const QuestionedCrawl& crawl, const harvest::CrawlQuestion& question);
  void look_whether_to_end(const QuestionedCrawl& crawl, const harvest::CrawlQuestion& question);
  Result<bool> do_part(const QuestionedCrawl& crawl, Deletion& deletion);
  void end(const QuestionedCrawl& crawl, const Deletion& deletion, const Error* why);
  Result<void> write_down(const QuestionedCrawl& crawl, const Deletion& deletion) const;
  Result<std::string> run_script(const QuestionedCrawl& crawl, const harvest::CrawlQuestion& question) const;
  Result<std::string> answer_of(const QuestionedCrawl& crawl, const harvest::CrawlQuestion& question) const;
  Result<void> tell_answer(const QuestionedCrawl& crawl, int64_t question);
  void tell_progress(Deletion& deletion);

  io::Files& files_;
  const Clock& clock_;
  const ServerLink& link_;
  const std::string path_;
  const Duration tell_interval_;
  std::deque<Deletion> deletions_;                   // each has its turn
  std::map<int64_t, harvest::CrawlAnswer> answers_;  // that the server has not taken yet
};

}  // namespace caddis::harvestserver
