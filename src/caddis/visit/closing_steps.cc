// The steps that every visit passes in the end, whatever became of it.

#include <optional>

#include "caddis/base/fetch_status.h"
#include "caddis/base/json_text.h"
#include "caddis/base/log.h"
#include "caddis/base/time_format.h"
#include "caddis/extract/extract.h"
#include "caddis/url/public_form.h"
#include "caddis/visit/lane_tools.h"
#include "caddis/visit/new_marks.h"
#include "caddis/visit/no_room.h"
#include "caddis/visit/steps.h"
#include "caddis/visit/visit.h"

namespace caddis::visit {
namespace {

class DispositionStep final : public Step {
 public:
  explicit DispositionStep(LaneTools& tools) : recent_(tools.recent), rejected_(tools.recent_rejected) {}
  std::string_view name() const override { return "disposition"; }

  Result<Next> run(Visit& visit) override {
    if (visit.failure()) settle_failure(visit, *visit.failure());
    // Whatever else becomes of the visit may mean that its links are not taken.
    const frontier::Disposition& disposition = visit.result.disposition;
    if (disposition.verdict == frontier::Verdict::settled && !disposition.local_failure)
      if (const NewMarks* marks = visit.slots.find<NewMarks>()) {
        recent_.add(marks->marks);
        if (rejected_) rejected_->add(marks->rejected);
      }
    return Next::on();
  }

 private:
  // Our own disk: nothing of this visit may count, it is made again; save if the body itself is too large for the disk,
  // some times over.
  static void settle_failure(Visit& visit, const Error& error) {
    frontier::Disposition& disposition = visit.result.disposition;
    const std::string shown = url::public_form(disposition.lease.candidate.url);
    visit.result.reason = error.message;
    if (!visit.is_prerequisite() && error.code == ErrorCode::limit && disposition.lease.attempt >= kTriesForRoom) {
      log_error("crawl", "gives up {}: {}", shown, error.message);
      disposition.verdict = frontier::Verdict::settled;
      disposition.status = visit.line->entry.status = status::kSevereError;
      visit.line->entry.facts.has_no_room = true;
      return;
    }
    disposition.verdict = frontier::Verdict::retry_url;
    disposition.local_failure = true;
    log_error("crawl", "cannot keep {}: {}", shown, error.message);
  }

  RecentLinks& recent_;
  std::optional<RecentLinks>& rejected_;
};

// A page is what a person would call one: HTML that was linked to or given, not a frame or an error.
bool is_page(const LogEntry& entry) {
  const bool linked = entry.hops.empty() || std::string_view("LRMS").contains(entry.hops.back());
  constexpr int kFtpDone = 226;
  const bool is_whole = entry.status == 200 || entry.status == 206 || entry.status == kFtpDone;
  return (is_whole || entry.is_unchanged()) && linked &&
         (entry.mime == "text/html" || entry.mime == "application/xhtml+xml");
}

std::string page_line(const LogEntry& entry, std::string_view title) {
  JsonObject line;
  line.add("url", entry.url).add("ts", rfc3339(entry.started));
  if (!title.empty()) line.add("title", title);
  if (entry.hops.empty()) line.add("seed", true);
  return line.finish() + "\n";
}

// A line for each link of a page, whatever the scope says of it (docs/formats/outlinks.md).
std::string outlink_lines(const LogEntry& entry, const extract::Extracted& extracted) {
  constexpr size_t kUsualLine = 160;
  std::string head = R"({"time":)";
  append_json_string(head, rfc3339_millis(entry.finished));
  append_json_string(head += R"(,"from":)", entry.url);
  head += R"(,"to":)";
  std::string lines;
  lines.reserve(extracted.links.size() * kUsualLine);
  for (const extract::Link& link : extracted.links) {
    lines += head;
    append_json_string(lines, link.target.has_userinfo() ? url::public_form(link.target) : std::string(link.url()));
    lines.append(R"(,"hop":")").append(1, static_cast<char>(link.hop)).append(1, '"');
    if (!link.context.empty()) append_json_string(lines += R"(,"context":)", link.context);
    lines += "}\n";
  }
  return lines;
}

class LogStep final : public Step {
 public:
  explicit LogStep(LaneTools& tools) : tools_(tools) {}
  std::string_view name() const override { return "log"; }

  Result<Next> run(Visit& visit) override {
    if (!visit.line) return Next::on();
    const LogEntry& entry = visit.line->entry;
    if (!visit.is_prerequisite() && !visit.result.captures.empty() && is_page(entry))
      visit.result.page_line =
          page_line(entry, visit.document.extracted ? std::string_view(visit.document.extracted->title) : "");
    if (tools_.context.settings->logs.outlinks && visit.document.extracted && !visit.is_prerequisite())
      visit.result.outlink_lines = outlink_lines(entry, *visit.document.extracted);
    visit.result.visited.push_back(*std::move(visit.line));
    visit.line.reset();
    return Next::on();
  }

 private:
  LaneTools& tools_;
};

}  // namespace

std::unique_ptr<Step> make_disposition_step(LaneTools& tools) { return std::make_unique<DispositionStep>(tools); }
std::unique_ptr<Step> make_log_step(LaneTools& tools) { return std::make_unique<LogStep>(tools); }

}  // namespace caddis::visit
