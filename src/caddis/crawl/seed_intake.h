// Takes the lists of seeds of a launch (seed_list.h) into the crawl, part by part, while it runs. Each part goes into
// one group of the committer, with a row that says how far the list was read: so after any death it goes on there, and
// memory holds one part, however long the list is. The crawl visits meanwhile, and does not end before.
//
// Belongs to the crawl's loop; lists are read where blocking is allowed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/aio/event.h"
#include "caddis/aio/task.h"
#include "caddis/base/error.h"
#include "caddis/config/scope_line.h"
#include "caddis/config/seeds.h"
#include "caddis/crawl/seed_list.h"
#include "caddis/frontier/frontier.h"

namespace caddis::aio {
class Blocking;
class Loop;
}  // namespace caddis::aio

namespace caddis::crawl {

class EventLog;
class Lifecycle;
class UrlForms;
class UrlIntake;
struct CommitPath;
struct CrawlState;

// How far a list was read: a row of the state, "<bytes> <lines> <taken> <known> <bad> <done>".
struct SeedListProgress {
  uint64_t bytes = 0, lines = 0;
  uint64_t taken = 0;  // seeds that are visited for it
  uint64_t known = 0;  // as another seed, or as a link
  uint64_t bad = 0;    // lines that are no seeds
  bool done = false;
  uint64_t scope_lines = 0;  // that widen or narrow the scope
  bool operator==(const SeedListProgress&) const = default;
};
std::string write_seed_list_progress(const SeedListProgress& progress);
// ErrorCode::corrupt if it is no such row.
Result<SeedListProgress> read_seed_list_progress(std::string_view row);

class SeedIntake {
 public:
  struct Parts {
    aio::Loop& loop;
    aio::Blocking& blocking;
    CrawlState& state;
    Lifecycle& lifecycle;
    CommitPath& path;
    UrlIntake& intake;
    EventLog& log;
  };
  // The rest of the crawl, as far as it needs it.
  struct Hooks {
    std::function<bool()> can_take;  // there is room for more
    std::function<bool()> gives_up;  // what waits is given up: no more of it
    std::function<void()> on_taken;  // visits may begin
  };
  // Null if no list is left to be taken. All parts must outlive it.
  static Result<std::unique_ptr<SeedIntake>> open(const Parts& parts, Hooks hooks);

  // Takes all lists, unless the crawl ends before; `tell` gets what people should know.
  aio::Task<void> run(std::function<void(const std::string&)> tell);
  // Seeds are still to come.
  bool is_busy() const { return !ended_; }
  // Something has changed for which it may be waiting: a commit, room on the disk.
  void wake() { changed_.notify(); }

 private:
  struct Pending {
    SeedList list;
    SeedListProgress progress;
  };
  struct Part {
    std::vector<frontier::ScheduledUrl> seeds;
    std::vector<config::ScopeLine> scope_lines;
    std::vector<std::string> unusable;  // the first lines that are none
    SeedListProgress progress;          // behind it; `taken` and `known` are for the frontier to say
  };

  SeedIntake(const Parts& parts, Hooks hooks) : parts_(parts), hooks_(std::move(hooks)), changed_(parts.loop) {}
  aio::Task<Result<void>> take(Pending& pending, config::SeedProblems& problems);
  static Result<Part> read_part(SeedListReader& reader, UrlForms& forms, const Pending& pending,
                                config::SeedProblems& problems);
  bool has_room(uint64_t group) const;
  void take_part(Pending& pending, Part part);
  void tell_of(const Pending& pending, const config::SeedProblems& problems,
               const std::function<void(const std::string&)>& tell);
  bool is_given_up() const;

  const Parts parts_;
  const Hooks hooks_;
  aio::Event changed_;
  std::vector<Pending> pending_;
  uint64_t uncommitted_ = 0;  // seeds in the group that is open
  bool ended_ = false;
};

}  // namespace caddis::crawl
