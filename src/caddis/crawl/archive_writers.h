// The chain of writers: captures go into WARC and ARC files, one file of a kind after the other, and into mirrors
// (archive/writer_spec.h). Lanes have made the bytes; here they are only appended.
//
// Gathers on the crawl's loop; places in files become known on the group's worker, which also writes the lines of the
// index journal.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/archive/crawl_dictionary.h"
#include "caddis/commit/participant.h"
#include "caddis/commit/staged_write.h"
#include "caddis/crawl/mirror_files.h"
#include "caddis/crawl/visit_listeners.h"
#include "caddis/url/key_policy.h"
#include "caddis/visit/visit_result.h"
#include "caddis/warcstore/archive_files.h"

namespace caddis::crawl {

class ArchiveWriters final : public commit::CommitParticipant, public DispositionListener {
 public:
  struct Options {
    warcstore::ArchiveFiles::Options files;
    warcstore::ArchiveForm form;
    url::KeyPolicy index_key = url::KeyPolicy::ia_surt();
    std::string mirror_list;  // the path of its log
    // Null if no writer packs by zstd.
    std::unique_ptr<archive::CrawlDictionary> dictionary = nullptr;
  };
  // The settings were validated.
  ArchiveWriters(Options options, const Clock& clock, Random& random);
  ~ArchiveWriters() override;

  // These count for the files that are begun from now on.
  void follow(archive::ArchiveSettings settings, archive::Provenance provenance);
  // Null if there is none. Lives as long as the writers.
  archive::CrawlDictionary* dictionary() const { return options_.dictionary.get(); }
  void add(visit::Capture capture) { captures_.push_back(std::move(capture)); }

  // Reads what earlier processes of the crawl have left; before `open`.
  Result<void> load(store::Kv& kv);
  Result<void> open(store::StreamSet& streams) override;
  void stage(commit::CommitGroup& group) override;
  // Moves the captures out of the result.
  void on_final(visit::VisitResult& result) override;

 private:
  class Write;
  struct Writer;
  // A capture as one writer has it.
  struct Piece {
    size_t writer = 0;
    bool has_dictionary = false;
    const std::string& prefix;
    const archive::Records& records;
  };

  // On the group's worker.
  Result<void> append(commit::GroupOutput& out, const warcstore::ArchiveForm& form,
                      const std::vector<visit::Capture>& captures, bool closes);
  Result<void> append_capture(commit::GroupOutput& out, const warcstore::ArchiveForm& form,
                              const visit::Capture& capture, std::string& index_lines);
  // Returns where it begins, if it was written.
  Result<std::optional<uint64_t>> append_records(commit::GroupOutput& out, const warcstore::ArchiveForm& form,
                                                 const Piece& piece, std::string& path);
  Result<void> mirror(commit::GroupOutput& out, const std::vector<visit::Capture>& captures);
  Result<void> close_files(store::StreamSet& streams, const warcstore::ArchiveForm& form, bool closes_all);
  warcstore::ArchiveFiles::Kind kind_of(const warcstore::ArchiveForm& form, const Piece& piece) const;
  void learn();
  commit::AfterFailure failed(store::StreamSet& streams, std::string_view stream, const Error& error);
  void leave_out(Writer& writer, uint64_t captures);
  void seal(store::Batch& batch);

  const Options options_;
  std::shared_ptr<const warcstore::ArchiveForm> form_;
  std::vector<visit::Capture> captures_;
  // The worker's.
  warcstore::ArchiveFiles files_;
  std::vector<std::unique_ptr<Writer>> chain_;
  std::optional<size_t> at_work_;  // the writer that appends now
  bool keeps_dictionary_ = false;  // the row of the dictionary is there, or none is needed
};

}  // namespace caddis::crawl
