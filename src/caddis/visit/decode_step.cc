#include <algorithm>

#include "caddis/extract/extract.h"
#include "caddis/extract/plan.h"
#include "caddis/fetch/decoded_body.h"
#include "caddis/visit/conditional.h"
#include "caddis/visit/lane_tools.h"
#include "caddis/visit/named_sitemap.h"
#include "caddis/visit/steps.h"
#include "caddis/visit/visit.h"

namespace caddis::visit {
namespace {

// A site's error page for robots.txt is nothing that anybody linked to, and where it redirects to is visited along with
// it.
bool is_read(const Visit& visit) {
  const int status = visit.document.readable()->head.status();
  return visit.is_prerequisite() ? status < 300 : status < 400 || status == 404;
}

// The type of the document, by its front.
extract::DocumentType type_of(Visit& visit, std::string_view front) {
  const http::Exchange& exchange = *visit.document.readable();
  const extract::Document document{.url = visit.url()->href(),
                                   .via = {},
                                   .content_type = exchange.head.find("content-type").value_or(""),
                                   .charset = {},
                                   .body = front,
                                   .status = exchange.head.status(),
                                   .fields = {},
                                   .is_named_sitemap = is_named_sitemap(visit)};
  return extract::document_type(document, *visit.site().links);
}

class DecodeStep final : public Step {
 public:
  explicit DecodeStep(LaneTools& tools) : tools_(tools) {}
  std::string_view name() const override { return "decode"; }

  // Up to `extract.max-length` bytes are read, of a sitemap up to its own limit. What no extractor reads, a film mostly,
  // stays in the spool until somebody else asks for it.
  Result<Next> run(Visit& visit) override {
    if (visit.document.exchange() == nullptr) return Next::on();
    TRY_VOID(read_stored(tools_, visit));
    if (!is_read(visit)) return Next::on();
    const http::Exchange& exchange = *visit.document.readable();
    const extract::Plan& plan = *visit.site().links;
    size_t most = visit.site().extract.max_length;
    TRY(auto body, fetch::decode_front(exchange, most));
    const extract::DocumentType type = type_of(visit, body.front());
    if (body.is_cut() && type == extract::DocumentType::sitemap) {
      most = std::max(most, extract::kMaxSitemap);
      TRY(body, fetch::decode_body(exchange, most));
    }
    const bool is_searched = extract::reads_body(type, plan);
    if (is_searched && body.is_away()) {
      TRY(body, fetch::decode_body(exchange, most));
    }
    tell(body, is_searched || plan.asks_program(visit.url()->href()), visit.line->entry.facts.body);
    visit.document.body = std::move(body);
    return Next::on();
  }

 private:
  static void tell(const fetch::DecodedBody& body, bool is_searched, BodyFacts& facts) {
    facts.unknown_coding = body.unknown_coding();
    if (body.is_undecodable()) facts.flaw = fetch::BodyFlaw::undecodable;
    if (body.is_cut() && is_searched) facts.flaw = fetch::BodyFlaw::read_in_part;
    if (facts.flaw != fetch::BodyFlaw::none) facts.problem = body.problem();
  }

  LaneTools& tools_;
};

}  // namespace

std::unique_ptr<Step> make_decode_step(LaneTools& tools) { return std::make_unique<DecodeStep>(tools); }

}  // namespace caddis::visit
