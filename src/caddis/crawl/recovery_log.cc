#include "caddis/crawl/recovery_log.h"

#include <memory>
#include <utility>

#include "caddis/base/fetch_status.h"
#include "caddis/commit/commit_group.h"
#include "caddis/crawl/request_line.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/io/gzip.h"
#include "caddis/url/public_form.h"
#include "caddis/visit/url_request.h"
#include "caddis/visit/visit_result.h"

namespace caddis::crawl {
namespace {

using Event = RecoveryLine::Event;

class Member final : public commit::StagedWrite {
 public:
  explicit Member(std::string lines) : lines_(std::move(lines)) {}
  Result<void> append(commit::GroupOutput& out) override {
    TRY_VOID(out.streams().append(kRecoveryStream, io::gzip_member(lines_, io::GzipEffort::fast)));
    return {};
  }

 private:
  const std::string lines_;
};

Event event_of(FetchStatus status) {
  switch (status_group(status)) {
    case StatusGroup::success:
      return Event::success;
    case StatusGroup::disregarded:
      return Event::disregarded;
    default:
      return Event::failure;
  }
}

// A request has a line of its own: it is no visit of what others know by its URL.
void append_line(std::string& out, Event event, const frontier::Candidate& candidate) {
  const std::string url = url::public_form(candidate.url), via = url::public_form(candidate.via);
  const auto request = visit::UrlRequest::of(candidate);
  if (!request || request->method == "GET") return append_recovery_line(out, {event, url, candidate.hops, via});
  const std::string text = write_request_line(url, *request);
  append_recovery_line(out, {event, text, {}, {}, true});
}

}  // namespace

Result<void> RecoveryLog::open(store::StreamSet& streams) { return streams.open_stream(kRecoveryStream, path_); }

void RecoveryLog::stage(commit::CommitGroup& group) {
  if (!lines_.empty()) group.add(std::make_unique<Member>(std::exchange(lines_, {})));
}

void RecoveryLog::add(Event event, const visit::VisitResult& result) {
  const frontier::Lease& lease = result.disposition.lease;
  if (lease.kind != frontier::LeaseKind::url) return;
  append_line(lines_, event, lease.candidate);
}

void RecoveryLog::on_final(visit::VisitResult& result) {
  const int status = result.visited.empty() ? result.disposition.status : result.visited.back().entry.status;
  add(event_of(status), result);
}

void RecoveryLog::on_retry(const visit::VisitResult& result) { add(Event::rescheduled, result); }

void RecoveryLog::on_deleted(const visit::LoggedVisit& record) {
  const visit::LogEntry& entry = record.entry;
  append_recovery_line(lines_, {event_of(entry.status), entry.url, entry.hops, entry.via});
}

void RecoveryLog::on_offered(std::span<const frontier::ScheduledUrl> urls) {
  for (const frontier::ScheduledUrl& scheduled : urls) {
    const frontier::Candidate& candidate = scheduled.candidate;
    Offered& offered = offered_.emplace_back(Offered{scheduled.fingerprint, candidate.force, {}});
    append_line(offered.line, Event::queued, candidate);
  }
}

void RecoveryLog::on_new(std::span<const uint64_t> fingerprints) {
  auto next = fingerprints.begin();
  for (const Offered& offered : offered_) {
    const bool is_new = next != fingerprints.end() && *next == offered.fingerprint;
    if (is_new) ++next;
    if (is_new || offered.force) lines_ += offered.line;
  }
  offered_.clear();
}

void RecoveryLog::on_known(std::span<const KnownUrl> urls) {
  for (const KnownUrl& known : urls) {
    if (known.line.is_request) {
      append_recovery_line(lines_, known.line);
      continue;
    }
    const std::string url = url::public_form(known.line.url), via = url::public_form(known.line.via);
    append_recovery_line(lines_, {known.line.event, url, known.line.hops, via});
  }
}

}  // namespace caddis::crawl
