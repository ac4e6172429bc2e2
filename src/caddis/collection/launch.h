// One launch of a crawl: its files in the collection, and the launches that a collection has.
//
//   <collection>/crawls/<crawl>-<timestamp14>/{crawl.yaml, action/, logs/, reports/, state/}
//
// A launch begins when its crawl.yaml is written; a folder without one died before.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/collection/layout.h"
#include "caddis/io/files.h"

namespace caddis::collection {

struct Launch {
  std::string collection;  // its folder
  std::string name;        // "<crawl>-<timestamp14>"

  Layout layout() const { return Layout(collection); }
  std::string archive() const { return layout().archive(); }
  std::string index() const { return layout().index_of(name); }
  // The payloads that it has stored, for later crawls.
  std::string digests() const { return layout().digests_of(name + ".cdxj"); }

  std::string folder() const { return layout().crawls() + "/" + name; }
  std::string settings_file() const { return folder() + "/crawl.yaml"; }
  // What operators put there is applied while the crawl runs.
  std::string actions() const { return folder() + "/action"; }
  std::string reports() const { return folder() + "/reports"; }

  std::string logs() const { return folder() + "/logs"; }
  std::string crawl_log() const { return logs() + "/crawl.log"; }
  std::string error_log() const { return logs() + "/nonfatal-errors.log"; }
  std::string progress_log() const { return logs() + "/progress-statistics.log"; }
  std::string pages() const { return logs() + "/pages.jsonl"; }
  // The documents of a mirror.
  std::string mirror_list() const { return logs() + "/mirror.jsonl"; }
  // Heritrix's, as far as it is wanted.
  std::string recovery_log() const { return logs() + "/frontier.recover.gz"; }

  // Readable for its owner only.
  std::string state() const { return folder() + "/state"; }
  // The key-value store.
  std::string store() const { return state() + "/db"; }
  std::string seen_log() const { return state() + "/seen"; }
  // Digest indexes of files that lie elsewhere.
  std::string known_digests() const { return state() + "/known"; }
  std::string seen_runs() const { return state() + "/seen-runs"; }
  std::string cdx_journal() const { return state() + "/cdx-journal"; }
  std::string checkpoints() const { return state() + "/checkpoints"; }
  // What was cut off streams by a recovery.
  std::string orphans() const { return state() + "/orphans"; }
  // Bodies that do not fit into memory.
  std::string spools() const { return state() + "/spool"; }
  // What crawl.yaml does not show.
  std::string secrets_file() const { return state() + "/secrets.yaml"; }
  // Copies of the lists of seeds that were given (crawl/seed_list.h).
  std::string seed_lists() const { return state() + "/seeds"; }
  // The recovery log that is being taken over.
  std::string recovery_note() const { return state() + "/recover"; }
  // Why a process could not write all that it ends with: end_note.h.
  std::string end_note() const { return state() + "/end"; }
  std::string control_socket() const { return state() + "/control.sock"; }
  // With it the control API answers over TCP, while the crawl runs.
  std::string control_token() const { return state() + "/control.token"; }
};

// The links of pages, as far as they are wanted.
inline std::string outlink_log_of(const Launch& launch) { return launch.logs() + "/outlinks.jsonl"; }

// The folders in `crawls`, as launches, begun or not, oldest first; none if there is no such folder.
Result<std::vector<Launch>> launch_folders(io::Files& files, const Layout& layout);
// Those of them that have begun.
Result<std::vector<Launch>> launches(io::Files& files, const Layout& layout);
// The latest launch that has begun, if there is one.
Result<std::optional<Launch>> latest_launch(io::Files& files, const std::string& collection);

}  // namespace caddis::collection
