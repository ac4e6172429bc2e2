// The action directory of a launch, <launch>/action/: what an operator puts there is applied to the running crawl.
//
//   action/<name>                      put there by the operator, best by renaming a complete file
//   action/taken/<time17>.<name>       being applied
//   action/done/<time17>.<name>        applied, and beside it `.report`: what became of its lines
//
// A file is taken when its size has been the same for kWhole. It is applied in parts; each part goes into one group of
// the committer, with a row that says how far the file was applied: so after any death it goes on there, and nothing is
// done twice. A script cannot go on: it is begun once. A file moves to done/ when the group that holds its end is
// committed. A file under the same name is another file: from the moment it is taken, its time is part of its name.
//
// Belongs to the crawl's loop; files are read and moved on `blocking`. docs/formats/action.md.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/aio/blocking.h"
#include "caddis/aio/event.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/task.h"
#include "caddis/config/scope_line.h"
#include "caddis/crawl/action_file.h"
#include "caddis/crawl/action_progress.h"
#include "caddis/crawl/script_run.h"
#include "caddis/crawl/url_intake.h"
#include "caddis/frontier/frontier.h"
#include "caddis/io/files.h"
#include "caddis/store/kv.h"

namespace caddis::commit {
class Committer;
}  // namespace caddis::commit

namespace caddis::crawl {

class ActionDirectory {
 public:
  static constexpr Duration kWhole = std::chrono::seconds(2);

  // It works with these. All of them must outlive the directory.
  struct Parts {
    io::Files& files;
    aio::Loop& loop;
    aio::Blocking& blocking;
    commit::Committer& committer;
    ActionProgressRows& rows;
    UrlIntake& intake;
  };
  // The rest of the crawl, as far as it needs it.
  struct Hooks {
    std::function<bool()> can_apply;            // there is room for more
    std::function<void()> on_applied;           // URLs have come in: visits may begin
    std::function<void(std::string_view)> log;  // for people: what an operator has changed
    std::function<void()> on_idle;              // it has looked, and nothing is left to be applied
  };
  // `folder`: Launch::actions().
  ActionDirectory(Parts parts, std::string folder, Hooks hooks)
      : parts_(parts), folder_(std::move(folder)), hooks_(std::move(hooks)), changed_(parts.loop) {}

  // Makes the folders, and finds what was being applied when the crawl ended.
  Result<void> open(store::Kv& kv);
  // Looks every `interval`, until `close`.
  aio::Task<void> run(Duration interval);
  void close();
  // Something has changed for which it may be waiting: a commit, room on the disk.
  void wake() { changed_.notify(); }
  void look_now();
  // Called for a file that asks for reports, before it is on record as done. Returns what is to be told of it.
  void on_reports(std::function<aio::Task<std::string>()> write) { write_reports_ = std::move(write); }
  // Runs the scripts; they are refused while it is empty. It must outlive the directory.
  void on_scripts(const ScriptRunner& runner) { run_script_ = &runner; }
  // Files lie there that are to be applied, or it has not looked yet.
  bool is_busy() const { return busy_; }
  uint64_t files_taken() const { return files_taken_; }

 private:
  struct Bad {
    uint64_t line;
    std::string why;
  };
  struct Report {
    std::string refused, damage;
    std::string told;    // what became of a file that has no URLs
    std::string output;  // of a script
    bool has_failed = false;
    uint64_t lines = 0, bad = 0, scope_lines = 0;
    std::vector<Bad> first_bad;
  };
  struct Part {
    std::vector<frontier::ScheduledUrl> scheduled_urls;
    std::vector<config::ScopeLine> scope_lines;
    uint64_t lines = 0;  // read so far, skipped ones included
    uint64_t outside = 0;
    bool at_end = false;
  };

  std::string taken(std::string_view file) const { return folder_ + "/taken/" + std::string(file); }
  std::string done(std::string_view file) const { return folder_ + "/done/" + std::string(file); }
  aio::Task<void> rest(Duration how_long);
  aio::Task<Result<void>> look();
  Result<void> claim(const std::vector<std::string>& names, std::vector<std::string>& claimed);
  Result<void> sync_claims();
  aio::Task<Result<void>> apply_taken();
  aio::Task<Result<std::optional<std::string>>> apply(const std::string& file);
  aio::Task<Result<bool>> apply_pass(const std::string& file, const ActionName& action, uint64_t pass, Report& report);
  aio::Task<Result<bool>> apply_script(const std::string& file, const ActionName& action, Report& report);
  Result<std::string> read_script(const std::string& file, const ActionName& action) const;
  static Result<Part> read_part(ActionReader& reader, UrlForms& forms, const ActionName& action, uint64_t pass,
                                uint64_t from, uint64_t skip, Report& report);
  void take(const std::string& file, const ActionName& action, uint64_t pass, Part part);
  std::string finish(const std::string& file, const Report& report);
  // False if the crawl ends before.
  aio::Task<bool> wait_for_commit();
  aio::Task<Result<void>> settle(std::vector<std::string> reports);
  Result<void> move_to_done(const std::string& file, const std::string& report);
  void keep_progress(const std::string& file, const ActionProgress& progress);

  const Parts parts_;
  const std::string folder_;
  const Hooks hooks_;
  std::function<aio::Task<std::string>()> write_reports_;
  const ScriptRunner* run_script_ = nullptr;
  aio::Event changed_;
  std::map<std::string, uint64_t> sizes_;           // of files that may still grow, at the last look
  std::map<std::string, ActionProgress> progress_;  // of files in taken/
  std::deque<std::string> taken_;                   // in the order in which they were taken
  std::string told_;                                // the trouble that was reported last
  uint64_t files_taken_ = 0;
  bool claims_are_durable_ = true;  // otherwise nothing of them may be applied yet
  bool busy_ = true, closed_ = false, look_now_ = false;
};

}  // namespace caddis::crawl
