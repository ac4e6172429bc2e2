// Looks whether a payload is stored already. Then its records are a revisit that names the original (WARC 1.1, 6.7).

#include <algorithm>
#include <memory>
#include <vector>

#include "caddis/archive/writer_spec.h"
#include "caddis/config/canonicalization_settings.h"
#include "caddis/dedup/index_key.h"
#include "caddis/dedup/original_row.h"
#include "caddis/visit/known_payload.h"
#include "caddis/visit/lane_tools.h"
#include "caddis/visit/remote_index.h"
#include "caddis/visit/steps.h"
#include "caddis/visit/visit.h"

namespace caddis::visit {
namespace {

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
    if (const auto keys = config::key_policies(tools.context.settings->canonicalization))
      key_ = dedup::index_key_by(keys->index);
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
    if (visit.document.body) visit.document.body->put_away();
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

  void settle(Visit& visit, std::optional<dedup::Match> match) const {
    visit.line->entry.is_looked_up = true;
    KnownPayload& known = visit.document.known.emplace();
    known.match = std::move(match);
    if (known.match)
      note(visit, *known.match);
    else
      known.row_key = dedup::row_key(visit.site().dedup.strategy, question(visit), key_);
  }

  static void note(Visit& visit, const dedup::Match& match) {
    LogEntry& entry = visit.line->entry;
    visit.result.disposition.novel_bytes -= novel_size(entry);
    entry.facts.revisit = RevisitFacts{
        .is_unchanged = false, .likeness = match.likeness, .url = match.original.url, .date = match.original.date};
  }

  const dedup::Originals& originals_;
  std::vector<std::unique_ptr<RemoteIndex>> remote_;
  dedup::IndexKey key_ = dedup::standard_index_key();
  bool has_revisits_ = false;  // WARC alone has them
};

}  // namespace

std::unique_ptr<Step> make_dedup_step(LaneTools& tools) { return std::make_unique<DedupStep>(tools); }

}  // namespace caddis::visit
