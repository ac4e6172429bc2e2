// One writer of `archive.writers`, as people write it:
//
//   warc                                   a writer of that kind, and of that name
//   pictures: warc, prefix PIC             a second one, with a name of its own
//   arc, packing none, folder /mnt/arcs, on-failure go-on
//
//   writer  = [name ":"] kind *("," option)
//   option  = "prefix" text / "folder" path / "packing" ("gzip" / "zstd" / "none") / "on-failure" policy
//   policy  = "pause" / "stop" / "go-on"
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/warc/packing.h"

namespace caddis::archive {

enum class WriterKind : uint8_t {
  warc,
  arc,     // ARC 1.1: responses only, whole
  mirror,  // documents as plain files, below a folder for each host
};

// The crawl's answer if a writer cannot write.
enum class OnFailure : uint8_t {
  pause,  // visits wait until it can
  stop,   // the crawl ends, and may be resumed
  go_on,  // the writer writes no more until the crawl is resumed
};

struct WriterSpec {
  // ErrorCode::config says how one is written.
  static Result<WriterSpec> parse(std::string_view text);

  bool writes_records() const { return kind != WriterKind::mirror; }

  std::string name;
  WriterKind kind = WriterKind::warc;
  std::string prefix;                    // of its files; empty: archive.prefix
  std::string folder;                    // of its files; empty: the archive's, or "mirror"
  std::optional<warc::Packing> packing;  // empty: archive.packing
  OnFailure on_failure = OnFailure::pause;
};

// The chain in its order. ErrorCode::config if one is none, or two have one name.
Result<std::vector<WriterSpec>> writer_chain(const std::vector<std::string>& writers);

// Guards and `pipeline.disable` name a writer like this: "writer pictures".
std::string writer_step(std::string_view name);

std::string_view to_string(WriterKind kind);

}  // namespace caddis::archive
