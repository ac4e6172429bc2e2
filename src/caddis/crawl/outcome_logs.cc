#include "caddis/crawl/outcome_logs.h"

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

namespace {

// So every header begins, and no other line.
constexpr std::string_view kHeaderBegin = "{\"log\":";

}  // namespace

// The lines of one group. Some wait for the places of their records; each file begins with a header.
class OutcomeLogs::Write final : public commit::StagedWrite {
 public:
  explicit Write(Log log) : log_(std::move(log)) {}

  // A log that somebody wants from now on begins here.
  Result<void> append(commit::GroupOutput& out) override {
    const std::string stream = json_log_stream(log_.kind);
    TRY_VOID(out.streams().open_stream(stream, log_.path));
    std::string text = completed(log_);
    if (out.streams().length(stream) == 0 && !text.starts_with(kHeaderBegin)) text.insert(0, log_.header);
    TRY_VOID(out.streams().append(stream, text));
    return {};
  }

 private:
  const Log log_;
};

OutcomeLogs::OutcomeLogs(const Options& options) : launch_(options.launch) {
  for (size_t i = 0; i < logs_.size(); ++i) {
    const auto kind = static_cast<JsonLog>(i);
    logs_[i].kind = kind;
    logs_[i].path = options.folder + "/" + json_log_stream(kind);
  }
  follow(options.settings);
}

OutcomeLogs::~OutcomeLogs() = default;

void OutcomeLogs::follow(const config::LogSettings& settings) {
  for (Log& each : logs_) each.fields = config::fields_of(each.kind, settings);
}

Result<void> OutcomeLogs::open(store::StreamSet& streams) {
  for (Log& each : logs_) {
    if (!each.fields) continue;
    const std::string stream = json_log_stream(each.kind);
    TRY_VOID(streams.open_stream(stream, each.path));
    each.has_header = streams.length(stream) > 0;
  }
  return {};
}

std::string& OutcomeLogs::lines_of(Log& log, const logs::JsonFields& fields) const {
  if (log.last_fields != fields) {
    log.lines += json_log_header(log.kind, fields, launch_);
    log.last_fields = fields;
  }
  return log.lines;
}

// A log without lines has a header, too.
void OutcomeLogs::stage(commit::CommitGroup& group) {
  for (Log& each : logs_) {
    if (each.fields && !each.has_header) lines_of(each, *each.fields);
    if (each.lines.empty()) continue;
    Log waiting;
    waiting.kind = each.kind;
    waiting.path = each.path;
    waiting.fields = each.fields;
    waiting.header = std::exchange(each.header, json_log_header(each.kind, *each.last_fields, launch_));
    waiting.lines = std::exchange(each.lines, {});
    waiting.gaps = std::exchange(each.gaps, {});
    each.has_header = true;
    group.add(std::make_unique<Write>(std::move(waiting)));
  }
}

void OutcomeLogs::on_final(visit::VisitResult& result) {
  for (const visit::LoggedVisit& visited : result.visited) {
    const bool is_last = &visited == &result.visited.back();
    add(visited.entry, is_last ? std::string_view(result.reason) : std::string_view(), visited.place);
  }
  if (log(JsonLog::scope).fields && !result.scope_lines.empty())
    lines_of(log(JsonLog::scope), *result.link_logs.answers) += result.scope_lines;
}

void OutcomeLogs::on_deleted(const visit::LoggedVisit& record) {
  add(record.entry, {}, nullptr);
  Log& scope = log(JsonLog::scope);
  if (!scope.fields || record.entry.status != status::kOutOfScope) return;
  const visit::LogEntry& entry = record.entry;
  visit::append_link_line(lines_of(scope, *scope.fields), *scope.fields,
                          {.at = entry.finished,
                           .url = entry.url,
                           .word = visit::kRejectedLink,
                           .hops = entry.hops,
                           .via = entry.via,
                           .seed = entry.seed,
                           .rule = entry.facts.scope_rule});
}

void OutcomeLogs::add_rejected(std::string_view line, const logs::JsonFields& fields) {
  Log& own = log(JsonLog::not_crawled);
  if (own.fields) lines_of(own, fields) += line;
}

void OutcomeLogs::add_unqueued(const visit::LinkLine& link) {
  Log& own = log(JsonLog::not_crawled);
  if (own.fields) visit::append_link_line(lines_of(own, *own.fields), *own.fields, link);
}

void OutcomeLogs::add(const visit::LogEntry& entry, std::string_view reason,
                      const std::shared_ptr<visit::WrittenAt>& place) {
  Log& own = log(log_of(entry));
  if (!own.fields) return;
  const size_t at = append_outcome(lines_of(own, *own.fields), own.kind, *own.fields, entry, reason);
  const bool says_where = own.fields->has(logs::JsonField::warc) || own.fields->has(logs::JsonField::offset);
  if (place != nullptr && says_where) own.gaps.push_back({at, place, *own.fields});
}

std::string OutcomeLogs::completed(const Log& log) {
  constexpr size_t kUsualPlace = 96;
  std::string text;
  text.reserve(log.lines.size() + log.gaps.size() * kUsualPlace);
  size_t from = 0;
  for (const Gap& gap : log.gaps) {
    text.append(log.lines, from, gap.at - from);
    append_place(text, gap.fields, *gap.place);
    from = gap.at;
  }
  return text.append(log.lines, from);
}

}  // namespace caddis::crawl
