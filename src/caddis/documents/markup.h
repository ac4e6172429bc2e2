// Links in the XML and HTML parts of documents. Internal to documents. None of these fails: what is broken has the links
// that could be read.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "caddis/documents/link_collector.h"
#include "caddis/html/tokenizer.h"

namespace caddis::documents {

// A part in UTF-8: those of Office may be in UTF-16. A view of `part` or of `storage`.
std::string_view part_in_utf8(std::string_view part, std::string& storage);
// Calls back for each token of an XML document; its texts have entities resolved.
using TokenCall = std::function<void(const html::Token& token, std::string_view text)>;
void each_token(std::string_view xml, const TokenCall& call);

// Texts and attributes of XMP (ISO 16684-1) that are URLs; names of vocabularies are none.
void read_metadata(std::string_view xmp, LinkCollector& links);
// References of HTML by their elements. `only_absolute`: relative ones stay within the document.
void read_markup(std::string_view html, bool only_absolute, LinkCollector& links);

}  // namespace caddis::documents
