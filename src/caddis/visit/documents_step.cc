#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "caddis/documents/reader.h"
#include "caddis/extract/extract.h"
#include "caddis/visit/document_links.h"
#include "caddis/visit/lane_tools.h"
#include "caddis/visit/said_directives.h"
#include "caddis/visit/steps.h"
#include "caddis/visit/visit.h"

namespace caddis::visit {
namespace {

using documents::Format;

DocumentRules rules_of(Visit& visit) { return {.documents = visit.site().documents, .extract = visit.site().extract}; }

class DocumentsStep final : public Step {
 public:
  explicit DocumentsStep(LaneTools& tools) : tools_(tools) {}
  std::string_view name() const override { return "documents"; }
  bool waits() const override { return true; }

  aio::Task<Result<Next>> run_waiting(Visit& visit) override {
    if (!visit.document.body) co_return Next::on();
    extract::Document document = document_of(visit);
    const auto format = format_to_read(document, rules_of(visit));
    if (!format || forbids_following(visit)) co_return Next::on();
    documents::Found found;
    const SteadyTime begin = tools_.loop.clock().steady();
    found.problem = why_not(visit);
    if (found.problem.empty()) {
      CO_TRY(found, co_await read(visit, document, *format));
    }
    tools_.context.documents.count(*format, found, tools_.loop.clock().steady() - begin);
    join(visit, document, *format, found);
    co_return Next::on();
  }

 private:
  // While it waits for a reader, the document is where it was received, not in memory: it has no bytes then, and none
  // afterwards. An Error is our own.
  aio::Task<Result<documents::Found>> read(Visit& visit, extract::Document& document, Format format) {
    visit.document.body->put_away();
    std::optional<Error> failure;
    const auto bring = [&failure, make = visit.document.bringer()] {
      auto made = make();
      if (!made) failure = made.error();
      return made;
    };
    const bool is_away = visit.document.body->is_away();
    document.body = is_away ? std::string_view() : visit.document.body->bytes();
    documents::Question question = question_of(document, format, rules_of(visit));
    if (is_away) question.bring = bring;
    documents::Found found = co_await tools_.context.documents.read(tools_.loop, question);
    if (failure) co_return std::unexpected(*std::move(failure));
    co_return found;
  }

  // Borrows from the visit: its body is the front, by which the format is known.
  static extract::Document document_of(Visit& visit) {
    const http::Exchange& exchange = *visit.document.readable();
    return {.url = visit.url()->href(),
            .via = visit.line->entry.via,
            .content_type = exchange.head.find("content-type").value_or(""),
            .body = visit.document.body->front(),
            .status = exchange.head.status()};
  }

  // Why the document is not to be read; empty if it is.
  static std::string why_not(Visit& visit) {
    const fetch::DecodedBody& body = *visit.document.body;
    std::string problem = too_large(body.size(), rules_of(visit));
    if (problem.empty() && !body.complete()) problem = body.problem();
    return problem;
  }

  static void join(Visit& visit, const extract::Document& document, Format format, const documents::Found& found) {
    VisitFacts& facts = visit.line->entry.facts;
    auto& extracted = visit.document.extracted;
    if (!extracted) extracted.emplace();
    add_document_links(document, format, found, rules_of(visit), *extracted);
    facts.body.dropped_links = extracted->dropped;
    if (!found.problem.empty()) facts.body.document_problem = fmt::format("{}: {}", to_string(format), found.problem);
  }

  LaneTools& tools_;
};

}  // namespace

std::unique_ptr<Step> make_documents_step(LaneTools& tools) { return std::make_unique<DocumentsStep>(tools); }

}  // namespace caddis::visit
