// Looks whether a payload is stored already. Then its records are a revisit that names the original (WARC 1.1, 6.7).

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "caddis/archive/writer_spec.h"
#include "caddis/base/time_format.h"
#include "caddis/dedup/original_row.h"
#include "caddis/visit/known_payload.h"
#include "caddis/visit/lane_tools.h"
#include "caddis/visit/remote_index.h"
#include "caddis/visit/steps.h"
#include "caddis/visit/visit.h"

namespace caddis::visit {
namespace {

// Annotations of crawl.log, as Heritrix has them.
constexpr const char* kDuplicate = "duplicate:digest";
constexpr const char* kSameUrl = "warcRevisit:digest";
constexpr const char* kOtherUrl = "warcRevisit:uriAgnosticDigest";

// A response with a flaw in its bytes may be more than its payload: its chunks may break in their middle.
bool is_whole(const http::Exchange& exchange) {
  return exchange.truncated == http::Truncated::none && exchange.problem.empty() && !exchange.payload_digest.empty();
}

// Only what came whole, and of which the settings want to know.
bool is_asked(Visit& visit) {
  const http::Exchange* const exchange = visit.document.exchange();
  return exchange != nullptr && is_whole(*exchange) && !visit.document.known &&
         is_wanted(visit.site().dedup, visit.line->entry.mime, exchange->payload_size);
}

class DedupStep final : public Step {
 public:
  explicit DedupStep(LaneTools& tools) : originals_(tools.context.originals) {
    const dedup::DedupSettings& settings = tools.context.settings->dedup;
    const auto chain = archive::writer_chain(tools.context.settings->archive.writers);
    has_revisits_ =
        chain && std::ranges::find(*chain, archive::WriterKind::warc, &archive::WriterSpec::kind) != chain->end();
    for (const std::string& place : settings.against)
      if (auto base = dedup::remote_index(place))
        remote_.push_back(std::make_unique<RemoteIndex>(tools, *std::move(base), settings.remote_timeout));
  }
  std::string_view name() const override { return "dedup"; }
  bool waits() const override { return !remote_.empty(); }

  Result<Next> run(Visit& visit) override {
    if (!has_revisits_ || !is_asked(visit)) return Next::on();
    TRY(auto match, originals_.find(visit.site().dedup.strategy, question(visit)));
    settle(visit, std::move(match));
    return Next::on();
  }

  // Indexes elsewhere are asked only for what is not known here as well as can be.
  aio::Task<Result<Next>> run_waiting(Visit& visit) override {
    if (!has_revisits_ || !is_asked(visit)) co_return Next::on();
    const dedup::Strategy strategy = visit.site().dedup.strategy;
    CO_TRY(auto match, originals_.find(strategy, question(visit)));
    for (const auto& remote : remote_) {
      if (match && is_best(strategy, match->likeness)) break;
      const LogEntry& entry = visit.line->entry;
      auto found = co_await remote->find(entry.digest, entry.url);
      const bool is_better = found && (!match || found->likeness < match->likeness);
      if (is_better && serves(strategy, found->likeness)) match = std::move(found);
    }
    settle(visit, std::move(match));
    co_return Next::on();
  }

 private:
  // The index key is computed by those who need it: few do.
  static dedup::Question question(const Visit& visit) {
    return {.digest = visit.line->entry.digest, .url = visit.line->entry.url, .url_key = {}};
  }

  static void settle(Visit& visit, std::optional<dedup::Match> match) {
    visit.line->entry.is_looked_up = true;
    KnownPayload& known = visit.document.known.emplace();
    known.match = std::move(match);
    if (known.match)
      note(visit, *known.match);
    else
      known.row_key = dedup::row_key(visit.site().dedup.strategy, question(visit));
  }

  static void note(Visit& visit, const dedup::Match& match) {
    LogEntry& entry = visit.line->entry;
    visit.result.disposition.novel_bytes -= novel_size(entry);
    entry.repeats = match.likeness;
    entry.annotations.emplace_back(kDuplicate);
    entry.annotations.emplace_back(match.likeness == dedup::Likeness::url ? kSameUrl : kOtherUrl);
    entry.annotations.push_back(revisit_of(match.original));
  }

  const dedup::Originals& originals_;
  std::vector<std::unique_ptr<RemoteIndex>> remote_;
  bool has_revisits_ = false;  // WARC alone has them
};

}  // namespace

// A comma would end the annotation. What looks like one that was escaped is escaped, too.
std::string revisit_of(const dedup::Original& original) {
  std::string text = fmt::format("revisitOf:{}:", timestamp17(original.date));
  for (size_t at = 0; at < original.url.size(); ++at) {
    const std::string_view rest = std::string_view(original.url).substr(at);
    if (rest.starts_with(','))
      text += "%2C";
    else
      text += rest.starts_with("%2C") ? "%25" : rest.substr(0, 1);
  }
  return text;
}

std::unique_ptr<Step> make_dedup_step(LaneTools& tools) { return std::make_unique<DedupStep>(tools); }

}  // namespace caddis::visit
