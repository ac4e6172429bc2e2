#include "caddis/visit/conditional.h"

#include "caddis/base/log.h"
#include "caddis/http/recorder.h"
#include "caddis/url/public_form.h"
#include "caddis/visit/feed_origin.h"
#include "caddis/visit/known_payload.h"
#include "caddis/visit/lane_tools.h"
#include "caddis/visit/visit.h"

namespace caddis::visit {
namespace {

constexpr int kNotModified = 304;

// A fault of the archive is no reason not to fetch.
void tell(const Visit& visit, const Error& error) {
  log_error("dedup", "the archive's capture of {} cannot be read: {}", url::public_form(*visit.url()), error.message);
}

void ask_about(dedup::StoredCapture capture, Visit& visit, fetch::FetchRequest& request) {
  const dedup::Original& original = capture.original;
  if (!original.etag.empty()) request.headers.push_back({"If-None-Match", original.etag});
  if (!original.last_modified.empty()) request.headers.push_back({"If-Modified-Since", original.last_modified});
  visit.document.asked_about = AskedAbout{std::move(capture)};
}

// A feed is asked about since its last poll, whatever the settings say of other URLs. Its payload need not be read.
bool ask_if_feed_changed(Visit& visit, fetch::FetchRequest& request) {
  const auto origin = FeedOrigin::of(visit.lease().candidate);
  if (!origin || origin->kind != FeedUrlKind::feed) return false;
  const feeds::FeedCapture& latest = origin->capture;
  const bool can_ask = !latest.etag.empty() || !latest.last_modified.empty();
  if (!can_ask || latest.url != url::public_form(*visit.url())) return true;
  ask_about({.original = {.url = latest.url,
                          .date = latest.date,
                          .record_id = latest.record_id,
                          .etag = latest.etag,
                          .last_modified = latest.last_modified},
             .digest = latest.digest,
             .mime = latest.mime,
             .path = {}},
            visit, request);
  return true;
}

}  // namespace

void ask_if_changed(const LaneTools& tools, Visit& visit, fetch::FetchRequest& request) {
  if (!visit.is_prerequisite() && ask_if_feed_changed(visit, request)) return;
  const dedup::History* const history = tools.context.history;
  const dedup::DedupSettings& settings = visit.site().dedup;
  const bool is_wanted = settings.conditional && settings.strategy != dedup::Strategy::off;
  const bool can_answer = visit.url()->is_http();
  if (history == nullptr || visit.is_prerequisite() || !is_wanted || !can_answer) return;
  auto known = history->latest(url::public_form(*visit.url()));
  if (!known) return tell(visit, known.error());
  if (!*known) return;
  ask_about(std::move(**known), visit, request);
}

void note_unchanged(Visit& visit) {
  const std::optional<AskedAbout>& asked = visit.document.asked_about;
  LogEntry& entry = visit.line->entry;
  if (!asked || entry.status != kNotModified) return;
  const dedup::Original& original = asked->capture.original;
  entry.facts.revisit =
      RevisitFacts{.is_unchanged = true, .likeness = dedup::Likeness::url, .url = original.url, .date = original.date};
  entry.digest = asked->capture.digest;
  entry.mime = asked->capture.mime;
  visit.document.known = KnownPayload{.match = dedup::Match{original, dedup::Likeness::url}, .is_unchanged = true};
}

Result<void> read_stored(const LaneTools& tools, Visit& visit) {
  const std::optional<AskedAbout>& asked = visit.document.asked_about;
  if (!asked || asked->capture.path.empty() || visit.line->entry.status != kNotModified) return {};
  const uint64_t most = visit.site().extract.max_length + http::Limits().max_head;
  const auto response = tools.context.history->response(asked->capture, most);
  if (!response) {
    tell(visit, response.error());
    return {};
  }
  http::ResponseRecorder recorder(tools.context.spools, http::Limits(), "GET");
  TRY_VOID(recorder.feed(*response));
  auto stored = recorder.finish(recorder.wants_more() ? http::ResponseRecorder::End::closed
                                                      : http::ResponseRecorder::End::complete);
  if (stored) visit.document.stored = *std::move(stored);
  return {};
}

}  // namespace caddis::visit
