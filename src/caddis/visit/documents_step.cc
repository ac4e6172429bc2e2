#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/documents/link_context.h"
#include "caddis/documents/reader.h"
#include "caddis/documents/settings.h"
#include "caddis/extract/extract.h"
#include "caddis/url/crawl_schemes.h"
#include "caddis/visit/lane_tools.h"
#include "caddis/visit/steps.h"
#include "caddis/visit/visit.h"

namespace caddis::visit {
namespace {

using documents::Format;

// Flash resolves against the page that shows it; others against themselves, or what they say.
url::Url base_of(Visit& visit, Format format, const documents::Found& found) {
  if (format == Format::swf) {
    if (auto page = url::Url::parse(visit.line->entry.via); page && url::can_be_crawled(*page)) return *std::move(page);
  } else if (!found.base.empty()) {
    if (auto base = url::Url::parse(found.base, visit.url()); base && url::can_be_crawled(*base))
      return *std::move(base);
  }
  return *visit.url();
}

class DocumentsStep final : public Step {
 public:
  explicit DocumentsStep(LaneTools& tools) : tools_(tools) {}
  std::string_view name() const override { return "documents"; }
  bool waits() const override { return true; }

  aio::Task<Result<Next>> run_waiting(Visit& visit) override {
    const std::optional<Format> format = wanted(visit);
    if (!format) co_return Next::on();
    documents::Found found;
    const SteadyTime begin = tools_.loop.clock().steady();
    const documents::Question question = question_of(visit, *format);
    found.problem = why_not(visit);
    if (found.problem.empty()) found = co_await tools_.context.documents.read(tools_.loop, question);
    tools_.context.documents.count(*format, found, tools_.loop.clock().steady() - begin);
    join(visit, *format, found);
    co_return Next::on();
  }

 private:
  // The format of a document that is to be read; nothing for most that come here.
  static std::optional<Format> wanted(Visit& visit) {
    if (!visit.document.body) return std::nullopt;
    const http::Exchange& exchange = *visit.document.readable();
    const int status = exchange.head.status();
    if (status < 200 || status >= 300) return std::nullopt;
    const auto format =
        documents::format_of(exchange.head.find("content-type").value_or(""), visit.document.body->bytes());
    if (!format || !visit.site().documents.wants(*format)) return std::nullopt;
    if (visit.document.extracted && visit.document.extracted->nofollow) return std::nullopt;
    return format;
  }

  static documents::Question question_of(Visit& visit, Format format) {
    const documents::DocumentSettings& settings = visit.site().documents;
    documents::Question question{.format = format, .bytes = visit.document.body->bytes(), .limits = {}};
    question.limits.links = static_cast<size_t>(settings.max_links);
    question.limits.url_length = visit.site().extract.max_url_length;
    question.limits.unpacked = static_cast<uint64_t>(settings.max_unpacked);
    return question;
  }

  // Why the document is not to be read; empty if it is.
  static std::string why_not(Visit& visit) {
    const fetch::DecodedBody& body = *visit.document.body;
    const auto most = static_cast<size_t>(visit.site().documents.max_size);
    if (body.bytes().size() > most) return fmt::format("it has more than {} bytes (documents.max-size)", most);
    return body.complete() ? std::string() : body.problem();
  }

  static void join(Visit& visit, Format format, const documents::Found& found) {
    VisitFacts& facts = visit.line->entry.facts;
    auto& extracted = visit.document.extracted;
    if (!extracted) extracted.emplace();
    std::vector<extract::WrittenLink> links;
    for (const documents::FoundLink& link : found.links)
      links.push_back({link.url, static_cast<extract::Hop>(link.kind), documents::context_of(link.kind)});
    const config::EffectiveSettings& site = visit.site();
    extract::add_links(base_of(visit, format, found), links, static_cast<size_t>(site.documents.max_links),
                       site.extract, *extracted);
    extracted->dropped += found.dropped;
    facts.body.dropped_links = extracted->dropped;
    if (!found.problem.empty()) facts.body.document_problem = fmt::format("{}: {}", to_string(format), found.problem);
  }

  LaneTools& tools_;
};

}  // namespace

std::unique_ptr<Step> make_documents_step(LaneTools& tools) { return std::make_unique<DocumentsStep>(tools); }

}  // namespace caddis::visit
