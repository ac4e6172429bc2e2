// The captures of a recording on their way to disk: a participant of its commits that writes their records into WARC
// files, a line for each into the index journal and the log, and rows of what later captures may refer to. All of it is
// in one group, so that a death leaves a capture as a whole or not at all.
//
// Gathers on the loop; places in files become known on the group's worker.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/archive/capture.h"
#include "caddis/collection/launch.h"
#include "caddis/commit/participant.h"
#include "caddis/commit/staged_write.h"
#include "caddis/recording/log_line.h"
#include "caddis/recording/own_originals.h"
#include "caddis/recording/totals.h"
#include "caddis/url/key_policy.h"
#include "caddis/warcstore/archive_files.h"

namespace caddis::recording {

// A capture whose records are made.
struct MadeCapture {
  archive::Records records;
  std::string url, via, mime, log_mime, digest, method, request_body;
  WallTime date, finished;
  int status = 0;
  uint64_t body_size = 0, size = 0;
  std::string protocol;
  http::Truncated truncated = http::Truncated::none;
  bool has_problem = false;
  std::optional<dedup::Match> revisit;
  // The row by which later captures find its payload, if they may.
  std::optional<std::pair<std::string, std::string>> original;
  std::string page_line;  // for pages.jsonl, with its line end; empty if it is no page
};

class Captures final : public commit::CommitParticipant {
 public:
  struct Options {
    warcstore::ArchiveFiles::Options files;
    warcstore::ArchiveForm form;
    url::KeyPolicy index_key = url::KeyPolicy::ia_surt();
    collection::Launch launch;
  };
  // Clock, random and originals outlive it.
  Captures(Options options, const Clock& clock, Random& random, OwnOriginals& originals);

  // From now on later captures may refer to it.
  void add(MadeCapture capture);
  // A line of a request that has no records.
  void add_line(const LoggedRequest& request);
  // The figures of all that is durable.
  const RecordingTotals& totals() const { return totals_; }

  Result<void> open(store::StreamSet& streams) override;
  void stage(commit::CommitGroup& group) override;
  void committed(commit::GroupNumber group) override;

 private:
  class Write;
  // On the group's worker.
  Result<void> append(commit::GroupOutput& out, const std::vector<MadeCapture>& captures, bool closes);
  Result<void> append_capture(commit::GroupOutput& out, const MadeCapture& capture);

  const Options options_;
  OwnOriginals& originals_;
  std::vector<MadeCapture> captures_;
  std::string lines_;
  RecordingTotals gathered_, totals_;   // since the last group; durable
  std::deque<RecordingTotals> staged_;  // one for each group on its way
  // The worker's.
  warcstore::ArchiveFiles files_;
  warcstore::ArchiveFiles::Kind kind_;
  std::string journal_lines_, log_lines_, page_lines_;
};

}  // namespace caddis::recording
