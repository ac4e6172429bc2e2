#include "caddis/extract/extract.h"

#include <algorithm>

#include "caddis/extract/extractor.h"
#include "caddis/extract/http_links.h"
#include "caddis/extract/link_sink.h"
#include "caddis/extract/plan.h"
#include "caddis/extract/reading.h"
#include "caddis/extract/run_extractors.h"
#include "caddis/text/encoding.h"
#include "caddis/text/sniff.h"

namespace caddis::extract {
namespace {

// Whether links are looked for in a body that came with this status: 300 (Multiple Choices) names what there is.
bool is_read(int status, const Options& options) {
  return (status >= 200 && status <= 300) || (status == 404 && options.not_found_pages);
}

// The charset that the response names, by either way a caller has it.
std::string_view transport_charset(const Document& document) {
  return document.charset.empty() ? text::charset_label(document.content_type) : document.charset;
}

}  // namespace

void Reading::find_charset() {
  const std::string_view transport = transport_charset(document);
  out.charset = out.type == DocumentType::html ? text::sniff_html(document.body, transport).name
                                               : text::sniff_text(document.body, transport).name;
  sink.set_charset(out.charset);
}

std::string_view Reading::text() {
  if (!is_decoded) {
    if (out.charset.empty()) find_charset();
    decoded = text::to_utf8(document.body, out.charset, storage);
    is_decoded = true;
  }
  return decoded;
}

static void run_extractors(Reading& reading) {
  Extracted& out = reading.out;
  for (const Extractor* const extractor : reading.plan.extractors()) {
    if (!extractor->reads(reading)) continue;
    const size_t links = out.links.size(), dropped = out.dropped;
    extractor->run(reading, reading.sink);
    // One may also take links out (implied-uris).
    const size_t found = out.links.size() > links ? out.links.size() - links : 0;
    out.work.push_back({extractor, static_cast<uint32_t>(found), static_cast<uint32_t>(out.dropped - dropped)});
  }
}

Extracted extract_within(const Document& document, const Plan& plan, unsigned depth) {
  Extracted out;
  const Options& options = plan.options();
  LinkSink sink(document, options, out);
  if (!sink.usable()) return out;
  Reading reading{.document = document, .plan = plan, .out = out, .sink = sink, .depth = depth};
  out.directives = directives_of_header(document);
  reading.has_body = is_read(document.status, options) && !document.body.empty();
  if (reading.has_body) {
    out.type = document_type(document, plan);
    out.nofollow = options.obey_meta_nofollow && document.heeds_nofollow && out.directives.nofollow;
  }
  run_extractors(reading);
  out.base = sink.base().href();
  return out;
}

bool reads_body(DocumentType type, const Plan& plan) {
  if (type != DocumentType::other || plan.multiple_regex().url != nullptr) return true;
  return std::ranges::any_of(plan.extractors(), [](const Extractor* each) { return each->name == kUniversal; });
}

Extracted extract(const Document& document, const Plan& plan) { return extract_within(document, plan, 0); }

Extracted extract(const Document& document, const Options& options) { return extract(document, Plan(options)); }

void add_links(const url::Url& base, std::span<const WrittenLink> links, size_t max_links, const Options& options,
               Extracted& out) {
  const Document document{.url = base.href()};
  LinkSink sink(document, options, out);
  sink.set_max_links(out.links.size() + max_links);
  for (const WrittenLink& link : links) sink.add(link.written, link.hop, link.context);
}

}  // namespace caddis::extract
