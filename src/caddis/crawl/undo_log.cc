#include "caddis/crawl/undo_log.h"

#include <memory>
#include <utility>

#include "caddis/commit/commit_group.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/visit/visit_result.h"

namespace caddis::crawl {
namespace {

// The streams still say where the group began.
class Row final : public commit::StagedWrite {
 public:
  Row(uint64_t number, repair::UndoEntries entries) : number_(number), entries_(std::move(entries)) {}

  void seal(commit::GroupOutput& out, commit::CommitGroup& group) override {
    group.batch().put(kMeta, repair::group_row(number_),
                      repair::encode_group_undo(out.streams().ends(), entries_, group.appended(kSeenStream)));
  }

 private:
  const uint64_t number_;
  const repair::UndoEntries entries_;
};

}  // namespace

void UndoLog::stage(commit::CommitGroup& group) {
  group.add(std::make_unique<Row>(range_.next++, std::exchange(entries_, {})));
  for (; range_.next - range_.first > range_.most; ++range_.first)
    group.batch().erase(kMeta, repair::group_row(range_.first));
}

void UndoLog::on_final(visit::VisitResult& result) { entries_.add(result.disposition.lease); }

}  // namespace caddis::crawl
