// The metadata file of a job (metadata_file.h), unpacked into a folder, so that whoever asks for a page of a log, or of what
// the job has missed, is answered by seeking: the metadata file itself can only be read from its beginning.
//
//   records          KIND TAB NAME TAB BYTES TAB OFFSET TAB FILE, a line for each record; FILE is "-" but for logs
//   log-0.txt, …     a log; what was packed is unpacked. Lines longer than 1 MiB are cut
//   log-0.txt.places where each 1024th line begins: eight bytes each, little-endian; line 0 has none
//   missed-embedded, missed-all    URL TAB VIA TAB STATUS TAB HOPS, by URL: MissedUrl of job_records.h
//
// `records` is written last, when the others survive a power cut. A folder without it is of a process that has died, and is
// begun anew.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::harvest {

struct UnpackedJob {
  std::string metadata_file, folder;
};

constexpr uint64_t kLinesAPlace = 1024;

bool is_unpacked(io::Files& files, const UnpackedJob& job);
// Removes the folder, if it is there.
Result<void> forget_unpacked(io::Files& files, const UnpackedJob& job);

// Kind and name of a record of a metadata file: "logs" and "crawl.log" in
// "metadata://library.example/crawl/logs/crawl.log?…". Nothing: it has none.
struct RecordAddress {
  std::string kind, name;
};
std::optional<RecordAddress> record_address(std::string_view uri);

// Unpacks one, step by step. It holds some MiB, whatever the size of the logs. One thread at a time.
class JobUnpacker {
 public:
  // `memory`: bytes of lines that are sorted at once.
  static Result<std::unique_ptr<JobUnpacker>> begin(io::Files& files, const UnpackedJob& job,
                                                    size_t memory = size_t{32} << 20);
  ~JobUnpacker();

  // About so many bytes of what is read, sorted or written. True if all is done; after an error it is over.
  Result<bool> step(uint64_t bytes);
  // How much of the metadata file is behind it, in hundredths; 100 if all is done.
  int percent() const;

 private:
  class Work;
  explicit JobUnpacker(std::unique_ptr<Work> work);
  std::unique_ptr<Work> work_;
};

}  // namespace caddis::harvest
