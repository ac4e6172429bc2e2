// Writes captures into WARC files: one after the other, each up to the size of the settings, under names that nobody
// else has in the shared archive folder. The store knows the name of a file before the file is begun: whose a file is
// that no commit names is never guessed.
//
// Gathers on the crawl's loop; places in files become known on the group's worker, which also writes the lines of the
// index journal.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "caddis/archive/settings.h"
#include "caddis/archive/warcinfo.h"
#include "caddis/base/clock.h"
#include "caddis/base/random.h"
#include "caddis/commit/participant.h"
#include "caddis/commit/staged_write.h"
#include "caddis/crawl/visit_listeners.h"
#include "caddis/url/key_policy.h"
#include "caddis/visit/visit_result.h"

namespace caddis::crawl {

class WarcWriter final : public commit::CommitParticipant, public DispositionListener {
 public:
  struct Options {
    std::string folder;  // the archive
    archive::ArchiveSettings settings;
    archive::Provenance provenance;
    url::KeyPolicy index_key = url::KeyPolicy::ia_surt();
    std::string pid;    // parts of names, with the host name of the provenance
    uint16_t port = 0;  // of the control API
    uint64_t next_serial = 0;
  };
  WarcWriter(Options options, const Clock& clock, Random& random);

  // These count for the files that are begun from now on.
  void follow(archive::ArchiveSettings settings, archive::Provenance provenance);
  void add(visit::Capture capture) { captures_.push_back(std::move(capture)); }

  void stage(commit::CommitGroup& group) override;
  // Moves the captures out of the result.
  void on_final(visit::VisitResult& result) override;

 private:
  class Write;
  // How files are made; a group has that of its moment.
  struct Form {
    archive::ArchiveSettings settings;
    archive::Provenance provenance;
  };

  // On the group's worker.
  Result<void> append(commit::GroupOutput& out, const Form& form, const std::vector<visit::Capture>& captures,
                      bool closes);
  Result<void> append_capture(commit::GroupOutput& out, const Form& form, const visit::Capture& capture,
                              std::string& index_lines);
  Result<void> begin_file(commit::GroupOutput& out, const Form& form);
  std::string next_name(const store::StreamSet& streams, const Form& form, WallTime now);
  void seal(store::Batch& batch);

  const std::string folder_, pid_;
  const uint16_t port_;
  const url::KeyPolicy index_key_;
  const Clock& clock_;
  Random& random_;
  std::shared_ptr<const Form> form_;
  std::vector<visit::Capture> captures_;
  // The worker's: of the next file, as committed and with the files of the group.
  uint64_t committed_serial_, serial_ = 0;
};

}  // namespace caddis::crawl
