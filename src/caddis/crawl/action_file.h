// The files that an operator puts into the action directory of a crawl: what their names ask for, and what their lines
// hold (docs/formats/action.md). Pure functions, and a reader of lines.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/crawl/recovery_line.h"
#include "caddis/io/files.h"
#include "caddis/io/gzip.h"

namespace caddis::crawl {

enum class ActionKind {
  seeds,     // they widen the scope
  schedule,  // are visited, where they were never queued
  force,     // are visited, though they were
  requests,  // are asked for otherwise than by a plain GET: each line says how (request_line.h)
  include,   // count as seen, and are not visited
  recover,   // a recovery log: what it finished counts as seen, the rest is visited
  reports,   // all reports are written now; its lines mean nothing
  script,    // is run, in Lua
};

struct ActionName {
  ActionKind kind = ActionKind::schedule;
  bool asks_scope = false;  // ".s.schedule": only what the scope accepts
  bool is_gzip = false;
};

// "late.seeds", "monday.s.schedule.gz". ErrorCode::unsupported with the reason where it is none of these: scripts in
// other languages than Lua are not run.
Result<ActionName> parse_action_name(std::string_view name);

// A line of a recovery log, or a URL alone, which counts as queued. Nothing for a line that says nothing: an empty one,
// a comment, a look-up (each crawl makes its own). ErrorCode::parse with what is wrong.
Result<std::optional<RecoveryLine>> parse_action_line(std::string_view line, ActionKind kind);

// Reads a file line by line, inflating it where it is gzip. A line that is longer than kLongest is given cut to that; a
// gzip file that is damaged or cut ends there, and says so. A link is not followed (ErrorCode::unsupported): what it
// names would be read with the crawl's rights, and shown in the report.
class ActionReader {
 public:
  static constexpr size_t kLongest = kLongestRecoveryLine + 1;  // so that it is seen to be too long

  static Result<ActionReader> open(io::Files& files, const std::string& path, bool is_gzip);

  // The next line without its end (and the first without a byte order mark), valid until the next call; nothing at the
  // end.
  Result<std::optional<std::string_view>> next();
  // What was wrong with the file itself; empty where nothing was.
  const std::string& damage() const { return damage_; }

 private:
  explicit ActionReader(std::unique_ptr<io::File> file, bool is_gzip);
  Result<std::optional<std::string_view>> next_line();
  Result<bool> read_more();
  void inflate(std::string_view bytes);

  std::unique_ptr<io::File> file_;
  std::optional<io::GunzipStream> gunzip_;
  uint64_t at_ = 0;        // of the file, read so far
  std::string text_;       // read, and not given yet
  size_t given_ = 0;       // of `text_`
  size_t searched_ = 0;    // of `text_`, holds no further line end
  bool skipping_ = false;  // the rest of a line that was too long
  bool at_end_ = false;
  bool is_first_ = true;  // the line that is next
  std::string damage_;
};

}  // namespace caddis::crawl
