// Builds a digest index of files: archives, indexes of them, logs of crawls and other digest indexes, in any order.
#pragma once

#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/dedup/capture_filter.h"
#include "caddis/dedup/digest_index_writer.h"
#include "caddis/dedup/intake.h"
#include "caddis/dedup/sources.h"
#include "caddis/io/files.h"

namespace caddis::dedup {

struct SourceReport {
  std::string path;
  SourceKind kind = SourceKind::archive;
  IntakeCounts counts;
  std::vector<std::string> flaws;  // by which something is lost, in words
};

// One thread.
class IndexBuilder {
 public:
  IndexBuilder(io::Files& files, const std::string& output, const WriterOptions& options, CaptureFilter filter,
               Intake::Progress progress = {});

  // Takes up a file. An error ends nothing: what came before it stays, and other files may follow.
  Result<SourceReport> add(const std::string& path);
  // The index appears, and whole.
  Result<IndexInfo> finish() { return writer_.finish(); }

 private:
  Result<ReadSource> read(const std::string& path, SourceKind kind);

  io::Files& files_;
  const WriterOptions options_;
  DigestIndexWriter writer_;
  Intake intake_;
};

}  // namespace caddis::dedup
