// A file of access rules: read again when it has changed, changed as a whole, and each change on record in
// `<file>.audit.log` (docs/formats/audit.md). A link to a file stays one: the file behind it is changed, in its own folder.
//
// Any thread; all but `rules` block.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "caddis/access/audit_log.h"
#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/io/file_stamp.h"
#include "caddis/io/files.h"
#include "caddis/viewing/rule_set.h"

namespace caddis::viewing {

// The author of a change, and what is done, as the record has it.
struct RuleChange {
  std::string who, from, how;  // a name; an address; "session", "token", "command line"
  std::string what;            // "takedown 7f3a of http://example.org/"
};

class RuleStore {
 public:
  RuleStore(io::Files& files, const Clock& clock, std::string path);

  // As they were read last; never null. Each is counted, also over changes of the file.
  std::shared_ptr<const RuleSet> rules() const;
  // Reads the file if it has changed since. If it cannot be used, or is gone, the former rules stand: an archive is not
  // opened by a slip of the pen. The first time, an absent file has no rules.
  Result<void> refresh();
  // The same, but looks at the file once a second at most, and tells the log of what cannot be used.
  void refresh_now_and_then();
  // Says what is wrong with the file as it is now; empty: nothing.
  std::string problem() const;

  // Has `edit` change the text (empty if there is no file), holds the result against the grammar, and writes it; one
  // process at a time. It holds at once. ErrorCode::conflict if another one is at it, whom the message names.
  using Edit = std::function<Result<std::string>(const std::string& text)>;
  Result<void> change(const RuleChange& by, const Edit& edit);
  const std::string& path() const { return path_; }

 private:
  Result<std::shared_ptr<const RuleSet>> parse(const std::string& text);
  // The file from which rules were read, as it was then.
  struct Source {
    io::FileStamp stamp;
    std::string identity;  // a link may lead to another file of the same size and time
    friend bool operator==(const Source&, const Source&) = default;
  };
  Result<Source> source() const;
  // `version`: they were read while that one stood. False, and nothing is done, if there are other rules meanwhile.
  bool put(std::shared_ptr<const RuleSet> rules, const Source& source, std::optional<uint64_t> version);
  void record(const RuleChange& by, const RuleSet& rules);

  io::Files& files_;
  const Clock& clock_;
  const std::string path_;
  access::AuditLog audit_;
  RuleCounts counts_;
  mutable std::mutex mutex_;  // guards what follows
  std::shared_ptr<const RuleSet> rules_;
  std::optional<Source> source_;  // nothing: they were read from no file
  uint64_t version_ = 0;          // another one for each set of rules
  std::string problem_;
  std::optional<SteadyTime> looked_;
  std::mutex changing_;
};

}  // namespace caddis::viewing
