// Tallies of hosts, of registered domains, of the hosts below each seed, and of findings: rows of the statistics that
// no memory holds, however many there are.
//
//   H<host>              FetchTally; "dns:" has the look-ups, as Heritrix counts them
//   D<domain>            FetchTally; look-ups as above
//   S<seed> <host>       FetchTally; the host of look-ups is "dns:"
//   F<kind> <name>       Finding
//
// Belongs to the crawl's loop.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/commit/participant.h"
#include "caddis/crawl/fetch_tally.h"
#include "caddis/crawl/stored_tallies.h"
#include "caddis/crawl/visit_listeners.h"
#include "caddis/store/kv.h"
#include "caddis/visit/log_entry.h"

namespace caddis::crawl {

struct Finding {
  uint64_t times = 0, amount = 0;
  void add(const Finding& other) {
    times += other.times;
    amount += other.amount;
  }
};
std::string to_row(const Finding& finding);
void read_row(std::string_view row, Finding& finding);

class SiteTallies final : public commit::CommitParticipant, public DispositionListener {
 public:
  static constexpr char kHostRow = 'H', kDomainRow = 'D', kSourceRow = 'S', kFindingRow = 'F';
  static constexpr bool is_row(char kind) {
    return kind == kHostRow || kind == kDomainRow || kind == kSourceRow || kind == kFindingRow;
  }
  static constexpr std::string_view kLookups = "dns:";
  // Kinds of findings: "refused <address> <host>" counts URLs; "read-in-part <host>" documents and their bytes;
  // "links-dropped <host>" documents, and links in place of bytes; "documents-failed <host>" binary documents and their
  // bytes; "wall <kind>:<name> <host>" documents and their bytes; "login <way> <host>" logins (visit::LoginFacts).
  static constexpr std::string_view kRefused = "refused", kReadInPart = "read-in-part", kLinksDropped = "links-dropped",
                                    kDocumentsFailed = "documents-failed", kWall = "wall", kLogin = "login";

  // The store, with the rows of before, must outlive the tallies.
  explicit SiteTallies(store::Kv& kv) : kv_(kv) {}

  void count(const visit::LogEntry& entry, std::string_view host);
  void on_final(visit::VisitResult& result) override;
  void on_deleted(const visit::LoggedVisit& record) override;
  void stage(commit::CommitGroup& group) override;
  void committed(commit::GroupNumber group) override;
  // Adds the rows that changed since the last call. Those that cannot be read go to `late`, or are left for the next
  // call if that is null.
  void stage(store::Batch& batch, commit::GroupNumber group, std::vector<LateRow>* late = nullptr);

 private:
  void count_findings(const visit::LogEntry& entry, std::string_view host);

  store::Kv& kv_;
  StoredTallies<FetchTally> hosts_{kHostRow}, domains_{kDomainRow}, sources_{kSourceRow};
  StoredTallies<Finding> findings_{kFindingRow};
};

}  // namespace caddis::crawl
