// The folders of a collection, and of one launch of a crawl in it (design: names that users see).
//
//   <collection>/archive/*.warc.gz  indexes/*.cdxj  pages/pages.jsonl
//   <collection>/crawls/<name>-<timestamp14>/{crawl.yaml, action/, logs/, reports/, state/}
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::crawl {

struct Launch {
  std::string collection;  // its folder
  std::string name;        // "<crawl>-<timestamp14>"

  std::string folder() const { return collection + "/crawls/" + name; }
  std::string archive() const { return collection + "/archive"; }
  std::string logs() const { return folder() + "/logs"; }
  std::string reports() const { return folder() + "/reports"; }
  std::string state() const { return folder() + "/state"; }
  // What operators put there is applied while the crawl runs (action_directory.h).
  std::string actions() const { return folder() + "/action"; }
  std::string settings_file() const { return folder() + "/crawl.yaml"; }
  // What crawl.yaml does not show; readable for its owner only.
  std::string secrets_file() const { return state() + "/secrets.yaml"; }
  // What recovery log is being taken over (recover.h).
  std::string recovery_note() const { return state() + "/recover"; }
  // Why a process could not write all that it ends with; see `note_end`.
  std::string end_note() const { return state() + "/end"; }
  std::string control_socket() const { return state() + "/control.sock"; }
  // With it the control API answers over TCP, while the crawl runs; readable for its owner only.
  std::string control_token() const { return state() + "/control.token"; }
  std::string cdx_journal() const { return state() + "/cdx-journal"; }
  std::string pages() const { return logs() + "/pages.jsonl"; }
  std::string index() const { return collection + "/indexes/" + name + ".cdxj"; }
};

// Whom the files of a launch are shown to. Its state only its owner may read: it may hold secrets.
enum class Privacy {
  state,   // all but the state may be read by other users
  launch,  // all of the launch is its owner's: settings, logs, reports
};

// Makes the folders of a new launch. The name is made unique where two launches fall into one second.
Result<Launch> create_launch(io::Files& files, const std::string& collection, std::string_view crawl_name, WallTime now,
                             Privacy privacy = Privacy::state);
// For one that goes on, and what will be made of it from now on in this process.
Result<void> keep_private(io::Files& files, const Launch& launch, Privacy privacy);
// For one that goes on: those of its folders that somebody has removed and that hold nothing it needs.
Result<void> make_missing_folders(io::Files& files, const Launch& launch);
// The latest launch of a collection, if it has any.
Result<std::optional<Launch>> latest_launch(io::Files& files, const std::string& collection);
// Only one crawl at a time may run in a collection. ErrorCode::conflict says who holds it.
Result<std::unique_ptr<io::FileLock>> lock_collection(io::Files& files, const std::string& collection,
                                                      std::string_view note);

// For a new crawl that is refused: it leaves nothing behind. `missing_folders`, asked before anything is made, are
// those of the collection that are not there yet, outermost first; `take_back` removes the launch (which may not have
// come to exist) and of those folders what is empty, with the lock file where the lock is the caller's.
std::vector<std::string> missing_folders(io::Files& files, const std::string& collection);
void take_back(io::Files& files, const Launch& launch, const std::vector<std::string>& made, bool holds_lock);

// A crawl that ended by itself, but could not commit what it had, or write its report: most often the disk is full.
void note_end(io::Files& files, const Launch& launch, std::string_view why);
// Why, empty where not even that could be written; nothing where the launch ended in another way.
std::optional<std::string> noted_end(io::Files& files, const Launch& launch);

// Rewrites pages/pages.jsonl from the page lists of all launches, oldest first.
Result<void> rebuild_pages(io::Files& files, const std::string& collection);

}  // namespace caddis::crawl
