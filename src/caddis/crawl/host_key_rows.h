// The keys of SFTP servers that a crawl has seen, and their rows in its state: a server shows the same key to the process
// that goes on.
//
// Belongs to the crawl's loop, but for the keys, which look after themselves. A key may be committed before the visit
// that has seen it.
#pragma once

#include "caddis/base/error.h"
#include "caddis/commit/participant.h"
#include "caddis/protocols/host_keys.h"
#include "caddis/store/kv.h"

namespace caddis::crawl {

class HostKeyRows final : public commit::CommitParticipant {
 public:
  // `kv` must outlive the rows.
  explicit HostKeyRows(store::Kv& kv) : kv_(kv) {}

  protocols::HostKeys& keys() { return keys_; }

  Result<void> open(store::StreamSet& streams) override;
  void stage(commit::CommitGroup& group) override;

 private:
  protocols::HostKeys keys_;
  store::Kv& kv_;
};

}  // namespace caddis::crawl
