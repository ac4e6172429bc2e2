#include <atomic>
#include <memory>
#include <vector>

#include "caddis/extract/extract.h"
#include "caddis/extract/extractor.h"
#include "caddis/extract/plan.h"
#include "caddis/robots/policy.h"
#include "caddis/text/sketch.h"
#include "caddis/visit/lane_tools.h"
#include "caddis/visit/named_sitemap.h"
#include "caddis/visit/resource_links.h"
#include "caddis/visit/same_as_via.h"
#include "caddis/visit/steps.h"
#include "caddis/visit/visit.h"

namespace caddis::visit {
namespace {

class ExtractStep final : public Step {
 public:
  std::string_view name() const override { return "extract"; }

  Result<Next> run(Visit& visit) override {
    if (!visit.document.body) return Next::on();
    const frontier::Lease& lease = visit.lease();
    LogEntry& entry = visit.line->entry;
    const http::Exchange& exchange = *visit.document.readable();
    std::pmr::vector<extract::HeaderField> fields(visit.memory());
    for (const http::Field field : exchange.head) fields.emplace_back(field.name, field.value);
    extract::Document document{
        .url = visit.url()->href(),
        .via = entry.via,
        .content_type = exchange.head.find("content-type").value_or(""),
        .charset = {},
        .body = visit.document.body->front(),
        .status = exchange.head.status(),
        .fields = fields,
        .heeds_nofollow = robots::obeys_nofollow(visit.host().robots.policy),
        .product_token = visit.host().robots.product_token,
        // That of a proxy is not the site's.
        .address = visit.host().fetch.proxy.empty() ? std::string_view(entry.facts.peer.address) : std::string_view(),
        .is_named_sitemap = is_named_sitemap(visit)};
    const extract::Plan& plan = *visit.site().links;
    if (extract::reads_body(extract::document_type(document, plan), plan)) {
      TRY(document.body, visit.document.body_bytes());
    }
    visit.document.extracted = extract::extract(document, plan);
    if (visit.site().extract.suppress_traps) leave_trap(visit, exchange);
    if (exchange.resource) TRY_VOID(add_resource_links(visit, *exchange.resource));
    count(*visit.document.extracted);
    tell_unread(*visit.document.extracted, exchange, entry.facts.body);
    if (lease.wants_sketch && exchange.head.status() == 200 && entry.mime.starts_with("text/")) {
      TRY(const std::string_view text, visit.document.body_bytes());
      visit.result.disposition.sketch = text::sketch_of(text);
    }
    entry.facts.body.dropped_links = visit.document.extracted->dropped;
    return Next::on();
  }

  void report_parts(std::vector<StepPart>& parts) const override {
    for (size_t i = 0; i < extract::extractors().size(); ++i)
      parts.push_back({.name = extract::extractors()[i].name,
                       .times = counts_[i].documents.load(std::memory_order_relaxed),
                       .links = counts_[i].links.load(std::memory_order_relaxed),
                       .dropped = counts_[i].dropped.load(std::memory_order_relaxed)});
  }

 private:
  // The counts of one extractor, written by the lane alone.
  struct Count {
    std::atomic<uint64_t> documents = 0, links = 0, dropped = 0;
  };

  // A flaw of the body itself says more. Of one that did not come whole the end is not missed twice.
  static void tell_unread(const extract::Extracted& extracted, const http::Exchange& exchange, BodyFacts& facts) {
    if (extracted.unread.empty() || facts.flaw != fetch::BodyFlaw::none) return;
    if (extracted.is_damaged && exchange.truncated != http::Truncated::none) return;
    facts.flaw = extracted.is_damaged ? fetch::BodyFlaw::undecodable : fetch::BodyFlaw::read_in_part;
    facts.problem = extracted.unread;
  }

  // Redirects are followed: answers of a chain of them often have the same body, or none.
  static void leave_trap(Visit& visit, const http::Exchange& exchange) {
    if (visit.is_prerequisite() || !is_same_as_via(exchange.payload_digest, visit.lease().candidate)) return;
    std::erase_if(visit.document.extracted->links,
                  [](const extract::Link& link) { return link.hop != extract::Hop::redirect; });
    for (extract::ExtractorWork& work : visit.document.extracted->work) work.links = 0;
    visit.line->entry.facts.words.emplace_back(kTrapWord);
  }

  static void add(std::atomic<uint64_t>& to, uint64_t more) {
    to.store(to.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
  }

  void count(const extract::Extracted& extracted) {
    for (const extract::ExtractorWork& work : extracted.work) {
      Count& into = counts_[static_cast<size_t>(work.extractor - extract::extractors().data())];
      add(into.documents, 1);
      add(into.links, work.links);
      add(into.dropped, work.dropped);
    }
  }

  const std::unique_ptr<Count[]> counts_ = std::make_unique<Count[]>(extract::extractors().size());
};

}  // namespace

std::unique_ptr<Step> make_extract_step(LaneTools&) { return std::make_unique<ExtractStep>(); }

}  // namespace caddis::visit
