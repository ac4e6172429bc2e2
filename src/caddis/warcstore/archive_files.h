// Files of records, begun one after the other under names that nobody else has in shared folders. The store knows the
// name of a file before the file is begun: whose a file is that no commit names is never guessed.
//
// Used on the group's worker.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/archive/settings.h"
#include "caddis/archive/warcinfo.h"
#include "caddis/archive/writer_spec.h"
#include "caddis/base/clock.h"
#include "caddis/base/random.h"
#include "caddis/commit/staged_write.h"
#include "caddis/io/files.h"

namespace caddis::warcstore {

// How files are made; a group has that of its moment.
struct ArchiveForm {
  archive::ArchiveSettings settings;
  archive::Provenance provenance;
};

// The place of a file that was begun, as the store keeps it: its name in `archive`, a path within the collection, which
// may be moved, or a whole path.
std::string begun_path(const std::string& archive, const std::string& kept);
std::string kept_path(const std::string& archive, const std::string& path);

class ArchiveFiles {
 public:
  struct Options {
    io::Files* files = nullptr;  // outlives this
    std::string collection;
    std::string pid, full_host;  // parts of names, with the host name of the provenance
    uint16_t port = 0;           // of the control API
    uint64_t next_serial = 0;
  };
  ArchiveFiles(Options options, const Clock& clock, Random& random);

  // A file of records.
  struct Kind {
    std::string stream;
    archive::WriterKind writer = archive::WriterKind::warc;
    warc::Packing packing = warc::Packing::gzip;
    std::string prefix;
    std::string folder;                              // empty: the folders of the settings, in turn
    const io::ZstdDictionary* dictionary = nullptr;  // of all its records
  };

  // An attempt to write a group begins.
  void begin_group() { serial_ = committed_serial_; }
  // Begins a file with what every file begins with.
  Result<void> begin(commit::GroupOutput& out, const ArchiveForm& form, const Kind& kind);
  // Whether the file that the stream writes is as old as files may be.
  bool is_old(const store::StreamSet& streams, std::string_view stream, const ArchiveForm& form);
  // Whether the file that the stream writes was begun with another prefix than the kind has now.
  bool has_other_prefix(const store::StreamSet& streams, const Kind& kind) const;
  // The file that the stream has begun in this attempt may stay where it is, so the store goes on knowing it as ours.
  void leave(std::string_view stream);
  // The group is synced.
  void seal(store::Batch& batch);

 private:
  std::vector<std::string> folders_of(const ArchiveForm& form, const Kind& kind) const;
  std::string next_path(const store::StreamSet& streams, const ArchiveForm& form, const Kind& kind, WallTime now);
  std::string front_of(const ArchiveForm& form, const Kind& kind, std::string_view name, WallTime now);

  const Options options_;
  const std::string archive_;
  const Clock& clock_;
  Random& random_;
  // The number of the next file, as committed and with the files of the group.
  uint64_t committed_serial_, serial_ = 0;
  uint64_t begun_to_ = 0;  // behind the highest number that any attempt has begun
  struct Begun {
    std::string path;
    WallTime at;
    std::optional<std::string> prefix;  // none for a file of before the crawl was resumed
    uint64_t serial = 0;
  };
  std::map<std::string, Begun, std::less<>> begun_;  // by stream
  std::set<uint64_t> left_;                          // serials
  std::set<std::string> folders_;                    // in which files were begun
};

}  // namespace caddis::warcstore
