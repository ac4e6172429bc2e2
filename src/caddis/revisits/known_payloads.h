// The originals that records of some archive files may refer to: the earliest captures in those files, and captures in
// other collections. However many there are, about WriterOptions::memory is held.
//
// No original refers to another: of captures that are alike by the strategy the earliest is found by all others, and
// finds itself.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/dedup/digest_index.h"
#include "caddis/dedup/digest_index_writer.h"
#include "caddis/dedup/index_key.h"
#include "caddis/dedup/original.h"
#include "caddis/io/files.h"
#include "caddis/revisits/payload_meter.h"

namespace caddis::revisits {

struct KnownPayloadsOptions {
  dedup::Strategy strategy = dedup::Strategy::url_preferred;
  size_t memory = dedup::WriterOptions().memory;
  // By which URLs are known again; without one by ia-surt, and in a digest index elsewhere by the rules of that.
  std::optional<dedup::IndexKey> key = {};
};

class KnownPayloads {
 public:
  // Its files are made in `folder`, and are gone when it is. ErrorCode::conflict if another works there.
  static Result<std::unique_ptr<KnownPayloads>> create(io::Files& files, const std::string& folder,
                                                       KnownPayloadsOptions options);
  KnownPayloads(const KnownPayloads&) = delete;
  KnownPayloads& operator=(const KnownPayloads&) = delete;
  ~KnownPayloads();

  // Originals elsewhere: a digest index, a collection, a folder of archives, or any file that `caddis dedup build` takes.
  // Of archives only whole captures count whose digests hold; what indexes tell is trusted, but asked for responses only:
  // they do not tell which captures are resources. ErrorCode::conflict for a digest index by other rules than those asked
  // for. Before the first look-up; one thread.
  Result<void> add_elsewhere(const std::string& place);
  // A record of the files. Any thread.
  Result<void> add(const warc::Header& header, const MeteredPayload& payload);
  // After the last of both, before the first look-up.
  Result<void> finish();

  // The original that the record repeats; nothing if it is one itself. Any thread.
  Result<std::optional<dedup::Original>> original_of(const warc::Header& header, const MeteredPayload& payload) const;

 private:
  struct Asked;
  struct Elsewhere {
    std::unique_ptr<dedup::DigestIndex> index;
    bool is_of_resources = false;  // and of nothing else
  };

  KnownPayloads(io::Files& files, std::string folder, KnownPayloadsOptions options);
  std::string path(std::string_view end) const;
  dedup::WriterOptions writer_options() const;
  Result<void> build_elsewhere(const std::vector<std::string>& indexes);
  Result<void> read_elsewhere(const std::vector<std::string>& archives);
  Result<void> read_archive(const std::string& archive, dedup::DigestIndexWriter& responses,
                            dedup::DigestIndexWriter& resources) const;
  Result<void> open_elsewhere(const std::string& path, bool is_of_resources = false);
  Result<std::optional<dedup::Match>> find_elsewhere(const dedup::DigestIndex& index, const Asked& asked) const;
  Result<std::optional<dedup::Match>> best_elsewhere(const Asked& asked) const;

  io::Files& files_;
  const std::string folder_;
  const KnownPayloadsOptions options_;
  std::unique_ptr<io::FileLock> lock_;
  std::mutex mutex_;  // of the writer
  std::unique_ptr<dedup::DigestIndexWriter> writer_;
  std::unique_ptr<dedup::DigestIndex> index_;
  std::vector<std::string> to_build_;  // sources elsewhere that are no digest index
  std::vector<Elsewhere> elsewhere_;
};

}  // namespace caddis::revisits
