#include "caddis/visit/document_links.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "caddis/documents/link_context.h"
#include "caddis/url/crawl_schemes.h"
#include "caddis/url/url.h"

namespace caddis::visit {
namespace {

using documents::Format;

std::optional<url::Url> base_of(const extract::Document& document, Format format, const documents::Found& found) {
  auto own = url::Url::parse(document.url);
  if (!own || !url::can_be_crawled(*own)) return std::nullopt;
  const auto may_be_base = [&own](const url::Url& base) {
    return url::can_be_crawled(base) && url::may_lead_to(*own, base);
  };
  if (format == Format::swf) {
    if (auto page = url::Url::parse(document.via); page && may_be_base(*page)) return *std::move(page);
  } else if (!found.base.empty()) {
    if (auto base = url::Url::parse(found.base, &*own); base && may_be_base(*base)) return *std::move(base);
  }
  return *std::move(own);
}

}  // namespace

std::optional<Format> format_to_read(const extract::Document& document, const DocumentRules& rules) {
  if (document.status < 200 || document.status >= 300) return std::nullopt;
  const auto format = documents::format_of(document.content_type, document.body);
  if (!format || !rules.documents.wants(*format)) return std::nullopt;
  return format;
}

documents::Question question_of(const extract::Document& document, Format format, const DocumentRules& rules) {
  documents::Question question{.format = format, .bytes = document.body, .limits = {}};
  question.limits.links = static_cast<size_t>(rules.documents.max_links);
  question.limits.url_length = rules.extract.max_url_length;
  question.limits.unpacked = static_cast<uint64_t>(rules.documents.max_unpacked);
  return question;
}

std::string too_large(size_t bytes, const DocumentRules& rules) {
  const auto most = static_cast<size_t>(rules.documents.max_size);
  return bytes > most ? fmt::format("it has more than {} bytes (documents.max-size)", most) : std::string();
}

void add_document_links(const extract::Document& document, Format format, const documents::Found& found,
                        const DocumentRules& rules, extract::Extracted& out) {
  out.dropped += found.dropped;
  const auto base = base_of(document, format, found);
  if (!base) return;
  std::vector<extract::WrittenLink> links;
  for (const documents::FoundLink& link : found.links)
    links.push_back({link.url, static_cast<extract::Hop>(link.kind), documents::context_of(link.kind)});
  extract::add_links(*base, links, static_cast<size_t>(rules.documents.max_links), rules.extract, out);
}

}  // namespace caddis::visit
