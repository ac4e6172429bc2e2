#include <vector>

#include "caddis/extract/extract.h"
#include "caddis/robots/policy.h"
#include "caddis/text/sketch.h"
#include "caddis/visit/lane_tools.h"
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
    const extract::Document document{.url = visit.url()->href(),
                                     .via = entry.via,
                                     .content_type = exchange.head.find("content-type").value_or(""),
                                     .charset = {},
                                     .body = visit.document.body->bytes(),
                                     .status = exchange.head.status(),
                                     .fields = fields};
    extract::Options options = visit.site().extract;
    options.obey_meta_nofollow = options.obey_meta_nofollow && robots::obeys_nofollow(visit.host().robots);
    visit.document.extracted = extract::extract(document, options);
    if (lease.wants_sketch && exchange.head.status() == 200 && entry.mime.starts_with("text/"))
      visit.result.disposition.sketch = text::sketch_of(visit.document.body->bytes());
    entry.facts.dropped_links = visit.document.extracted->dropped;
    return Next::on();
  }
};

}  // namespace

std::unique_ptr<Step> make_extract_step(LaneTools&) { return std::make_unique<ExtractStep>(); }

}  // namespace caddis::visit
