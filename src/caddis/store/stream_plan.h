// The findings of a start in the files of a set of streams, and how they come in line with their rows. A plain record:
// whoever has it may print it or compare it, and nothing has been changed yet.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace caddis::store {

// A file that holds less than is committed of it. No death does that: a disk lied, or people took the file away.
struct ShortFile {
  std::string stream;
  std::string path;  // under its final name
  std::string at;    // where it lies; "": nowhere
  uint64_t committed = 0;
  uint64_t found = 0;
  bool is_missing = false;   // it lies nowhere, and not among the orphans either
  bool is_complete = false;  // of a rolled stream, and nothing more is to be written into it
  bool operator==(const ShortFile&) const = default;
};

struct StreamPlan {
  struct Move {
    std::string from, to;
    bool operator==(const Move&) const = default;
  };
  struct Cut {
    std::string path;        // under the name that it has after the renamings
    uint64_t committed = 0;  // length it is cut to
    uint64_t found = 0;      // length it has
    std::string saved_as;    // where the tail goes
    bool operator==(const Cut&) const = default;
  };

  // Traces of a death.
  std::vector<Move> orphans;          // files that nobody knows
  std::vector<Move> renamings;        // of files whose name was still to be given
  std::vector<Cut> cuts;              // tails that no commit knows
  std::vector<std::string> begun;     // files without a committed byte that are not there: they begin anew
  std::vector<std::string> removed;   // files that were let go, and are still there; forms of others that nobody needs
  std::vector<std::string> unpacked;  // files of logs that are packed, and are to be cut or gone on with
  // The work of no death.
  std::vector<ShortFile> shorter;

  // The plan cannot be applied: stream_repair.h.
  bool needs_repair() const { return !shorter.empty(); }
  bool operator==(const StreamPlan&) const = default;
};

}  // namespace caddis::store
