// The links of binary documents among those of other kinds: what a crawl and `caddis extract` do with a document before
// and after it is read (documents/reader.h). Pure; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "caddis/documents/reader.h"
#include "caddis/documents/settings.h"
#include "caddis/extract/extract.h"

namespace caddis::visit {

struct DocumentRules {
  const documents::DocumentSettings& documents;
  const extract::Options& extract;
};

// The format of a document that is to be read for links, if nobody forbids it; nothing for most.
std::optional<documents::Format> format_to_read(const extract::Document& document, const DocumentRules& rules);

// Borrows the document's body.
documents::Question question_of(const extract::Document& document, documents::Format format,
                                const DocumentRules& rules);

// Returns why a document of so many bytes is not read; empty if it is.
std::string too_large(size_t bytes, const DocumentRules& rules);

// Adds the links to `out`, resolved: those of Flash against the page that shows it (`document.via`), others against the
// document or what it names as its base. The document's URL is absolute.
void add_document_links(const extract::Document& document, documents::Format format, const documents::Found& found,
                        const DocumentRules& rules, extract::Extracted& out);

}  // namespace caddis::visit
