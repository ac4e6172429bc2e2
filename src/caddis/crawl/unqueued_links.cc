#include "caddis/crawl/unqueued_links.h"

#include <utility>

#include "caddis/crawl/outcome_logs.h"
#include "caddis/store/seen.h"
#include "caddis/url/canonicalize.h"
#include "caddis/url/public_form.h"
#include "caddis/visit/scope_line.h"
#include "caddis/visit/visit_result.h"

namespace caddis::crawl {
namespace {

// Goes through marks in the order in which the seen-set was asked about them, and tells which were new.
class FreshMarks {
 public:
  explicit FreshMarks(std::span<const uint64_t> fresh) : next_(fresh.begin()), end_(fresh.end()) {}
  bool has(uint64_t mark) {
    if (next_ == end_ || *next_ != mark) return false;
    ++next_;
    return true;
  }

 private:
  std::span<const uint64_t>::iterator next_, end_;
};

}  // namespace

UnqueuedLinks::UnqueuedLinks(const Clock& clock, frontier::UrlLedger& frontier, frontier::Identity identity,
                             url::KeyPolicy keys, OutcomeLogs& logs)
    : clock_(clock), frontier_(frontier), identity_(identity), keys_(std::move(keys)), logs_(logs) {}

UnqueuedLinks::Offered UnqueuedLinks::offered(const frontier::Candidate& candidate) const {
  return {.mark = 0,
          .url = url::public_form(candidate.url),
          .hops = candidate.hops,
          .via = url::public_form(candidate.via),
          .seed = url::public_form(candidate.seed)};
}

void UnqueuedLinks::offer(std::span<const frontier::ScheduledUrl> urls) {
  offered_.clear();
  offered_.reserve(urls.size());
  for (const frontier::ScheduledUrl& url : urls) {
    Offered& made = offered_.emplace_back(offered(url.candidate));
    made.mark = identity_.url_mark(url.candidate.url, store::partition_of(url.fingerprint));
  }
}

Result<std::vector<uint64_t>> UnqueuedLinks::answer(std::span<const frontier::ScheduleAnswer> answers) {
  const std::vector<Offered> asked = std::exchange(offered_, {});
  std::vector<uint64_t> marks;
  marks.reserve(asked.size());
  for (const Offered& link : asked) marks.push_back(link.mark);
  TRY(auto fresh, frontier_.mark(marks));
  FreshMarks is_fresh(fresh);
  for (size_t i = 0; i < asked.size(); ++i)
    if (is_fresh.has(asked[i].mark) && answers[i] != frontier::ScheduleAnswer::accepted) add(asked[i], answers[i]);
  return fresh;
}

Result<std::vector<uint64_t>> UnqueuedLinks::reject(const visit::VisitResult& result) {
  const std::vector<visit::RejectedLink>& links = result.rejected_links;
  if (links.empty()) return std::vector<uint64_t>();
  std::vector<uint64_t> marks;
  marks.reserve(links.size());
  for (const visit::RejectedLink& link : links) marks.push_back(link.mark);
  TRY(auto fresh, frontier_.mark(marks));
  FreshMarks is_fresh(fresh);
  for (const visit::RejectedLink& link : links)
    if (is_fresh.has(link.mark)) logs_.add_rejected(link.line, *result.link_logs.rejections);
  return fresh;
}

void UnqueuedLinks::add(const Offered& link, frontier::ScheduleAnswer answer) {
  const bool is_duplicate = answer == frontier::ScheduleAnswer::duplicate;
  std::string key;
  if (is_duplicate)
    if (const auto url = url::Url::parse(link.url)) key = url::crawl_key(keys_, *url).value_or("");
  logs_.add_unqueued({.at = clock_.wall(),
                      .url = link.url,
                      .word = is_duplicate ? visit::kDuplicateLink : visit::kRejectedLink,
                      .hops = link.hops,
                      .via = link.via,
                      .seed = link.seed,
                      .rule = is_duplicate ? std::string_view() : to_string(answer),
                      .key = key});
}

}  // namespace caddis::crawl
