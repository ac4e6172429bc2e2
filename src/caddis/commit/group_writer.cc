#include "caddis/commit/group_writer.h"

#include "caddis/base/log.h"

namespace caddis::commit {

Result<void> GroupWriter::append_all(const CommitGroup& group, GroupOutput& out) {
  for (const auto& write : group.writes()) TRY_VOID(write->append(out));
  for (const auto& [stream, bytes] : group.bytes()) TRY_VOID(streams_.append(stream, bytes));
  return streams_.sync();
}

AfterFailure GroupWriter::tell(const CommitGroup& group, GroupOutput& out, const Error& error) {
  const std::string stream = out.streams().failed_stream();
  AfterFailure then = AfterFailure::try_again;
  for (const auto& write : group.writes())
    if (write->failed(out, stream, error) == AfterFailure::stop) then = AfterFailure::stop;
  return then;
}

GroupWriter::Outcome GroupWriter::write(CommitGroup& group) {
  GroupOutput out(streams_, kv_);
  if (auto appended = append_all(group, out); !appended) {
    if (out.has_store_failed()) return {Fate::unknown, std::move(appended).error()};
    const AfterFailure then = tell(group, out, appended.error());
    if (auto undone = streams_.abandon_failed(); !undone) return {Fate::unknown, std::move(undone).error()};
    return {then == AfterFailure::stop ? Fate::stop : Fate::try_again, std::move(appended).error()};
  }
  streams_.stage_lengths(group.batch());
  for (const auto& staged : group.writes()) staged->seal(out, group);
  if (auto written = kv_.write(group.batch(), store::Durability::synced); !written)
    return {Fate::unknown, std::move(written).error()};
  if (auto renamed = streams_.committed(); !renamed)
    log_warn("commit", "{}; it is tried again", renamed.error().message);
  return {};
}

}  // namespace caddis::commit
