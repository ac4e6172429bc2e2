#include "caddis/crawl/outcome_logs.h"

#include <algorithm>
#include <utility>

#include "caddis/base/fetch_status.h"
#include "caddis/commit/commit_group.h"
#include "caddis/commit/staged_write.h"
#include "caddis/crawl/outcome_line.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/store/streams.h"
#include "caddis/visit/log_entry.h"
#include "caddis/visit/scope_line.h"
#include "caddis/visit/visit_result.h"

namespace caddis::crawl {
using logs::JsonLog;

// The lines of one group. Some wait for the places of their records; each file begins with a header.
class OutcomeLogs::Write final : public commit::StagedWrite {
 public:
  explicit Write(Log log) : log_(std::move(log)) {}

  Result<void> append(commit::GroupOutput& out) override {
    const std::string stream = json_log_stream(log_.kind);
    std::string text = completed(log_);
    if (log_.is_header_due || out.streams().length(stream) == 0) text.insert(0, log_.header);
    TRY_VOID(out.streams().append(stream, text));
    return {};
  }

 private:
  const Log log_;
};

OutcomeLogs::OutcomeLogs(const Options& options) {
  for (size_t i = 0; i < logs_.size(); ++i) {
    const auto kind = static_cast<JsonLog>(i);
    Log& made = logs_[i];
    made.kind = kind;
    const std::vector<std::string>& wanted = options.settings.write;
    if (std::ranges::find(wanted, to_string(kind)) == wanted.end()) continue;
    made.path = options.folder + "/" + json_log_stream(kind);
    made.fields = chosen_fields(kind, options.settings.fields);
    made.header = json_log_header(kind, made.fields, options.launch);
  }
}

OutcomeLogs::~OutcomeLogs() = default;

// Each process writes a header before its lines, since fields may have changed; a log without lines has one, too.
Result<void> OutcomeLogs::open(store::StreamSet& streams) {
  for (Log& each : logs_) {
    if (each.path.empty()) continue;
    const std::string stream = json_log_stream(each.kind);
    TRY_VOID(streams.open_stream(stream, each.path));
    each.is_begun = streams.length(stream) > 0;
    each.is_header_due = true;
  }
  return {};
}

void OutcomeLogs::stage(commit::CommitGroup& group) {
  for (Log& each : logs_) {
    if (each.path.empty() || (each.lines.empty() && each.is_begun)) continue;
    Log waiting;
    waiting.kind = each.kind;
    waiting.fields = each.fields;
    waiting.header = each.header;
    waiting.is_header_due = std::exchange(each.is_header_due, false);
    waiting.lines = std::exchange(each.lines, {});
    waiting.gaps = std::exchange(each.gaps, {});
    each.is_begun = true;
    group.add(std::make_unique<Write>(std::move(waiting)));
  }
}

void OutcomeLogs::on_final(visit::VisitResult& result) {
  for (const visit::LoggedVisit& visited : result.visited) {
    const bool is_last = &visited == &result.visited.back();
    add(visited.entry, is_last ? std::string_view(result.reason) : std::string_view(), visited.place);
  }
  if (!log(JsonLog::scope).path.empty()) log(JsonLog::scope).lines += result.scope_lines;
}

void OutcomeLogs::on_deleted(const visit::LoggedVisit& record) {
  add(record.entry, {}, nullptr);
  Log& scope = log(JsonLog::scope);
  if (scope.path.empty() || record.entry.status != status::kOutOfScope) return;
  const visit::LogEntry& entry = record.entry;
  visit::append_scope_line(scope.lines, scope.fields,
                           {.at = entry.finished,
                            .url = entry.url,
                            .is_accepted = false,
                            .hops = entry.hops,
                            .via = entry.via,
                            .seed = entry.seed,
                            .rule = entry.facts.scope_rule});
}

void OutcomeLogs::add(const visit::LogEntry& entry, std::string_view reason,
                      const std::shared_ptr<visit::WrittenAt>& place) {
  Log& own = log(log_of(entry));
  if (own.path.empty()) return;
  const size_t at = append_outcome(own.lines, own.kind, own.fields, entry, reason);
  const bool says_where = own.fields.has(logs::JsonField::warc) || own.fields.has(logs::JsonField::offset);
  if (place != nullptr && says_where) own.gaps.push_back({at, place});
}

std::string OutcomeLogs::completed(const Log& log) {
  constexpr size_t kUsualPlace = 96;
  std::string text;
  text.reserve(log.lines.size() + log.gaps.size() * kUsualPlace);
  size_t from = 0;
  for (const Gap& gap : log.gaps) {
    text.append(log.lines, from, gap.at - from);
    append_place(text, log.fields, *gap.place);
    from = gap.at;
  }
  return text.append(log.lines, from);
}

}  // namespace caddis::crawl
