// The start of a set of streams: its files are compared with their rows, and brought in line with them.

#include "caddis/base/check.h"
#include "caddis/store/stream_recovery.h"
#include "caddis/store/streams.h"

namespace caddis::store {

using Kind = StreamRow::Kind;
using State = StreamRow::State;

Result<std::unique_ptr<StreamSet>> StreamSet::open(io::Files& files, Kv& kv, Family family, std::string orphans,
                                                   std::string root) {
  while (root.size() > 1 && root.back() == '/') root.pop_back();
  TRY(auto rows, read_stream_rows(kv, family, root));
  return std::unique_ptr<StreamSet>(new StreamSet(files, family, std::move(orphans), std::move(root), std::move(rows)));
}

Result<StreamPlan> StreamSet::inspect(const std::vector<std::string>& owned_dirs,
                                      const std::function<bool(std::string_view path)>& keep) const {
  return plan_recovery(files_, orphans_, rows_, owned_dirs, keep);
}

Result<void> StreamSet::apply(const StreamPlan& plan) {
  CADDIS_CHECK(streams_.empty());
  if (plan.needs_repair())
    return fail(ErrorCode::corrupt, plan.shorter.front().path + " holds less than is committed of it");
  if (auto applied = apply_recovery(files_, orphans_, plan); !applied)
    return pass(std::move(applied).error(), "while bringing streams in line");
  for (StreamRow& row : rows_) {
    Stream& stream = streams_[row.name];
    stream.kind = row.kind;
    if (stream.base_path.empty()) stream.base_path = row.path;  // rows come in the order of generations
    stream.stored_generation = row.generation;
    stream.stored_length = row.length;
    if (row.state == State::released) stream.released += row.length;
    if (row.state == State::closed && row.kind == Kind::log) {
      packing_.closed(row.name, row.path, row.length);
      stream.closed.push_back(std::move(row));
      continue;
    }
    if (row.state != State::open) continue;
    const uint64_t length = row.length;
    stream.live.push_back({.row = std::move(row), .stored = true, .stored_length = length, .length = length});
  }
  rows_.clear();
  recovered_ = true;
  return {};
}

}  // namespace caddis::store
