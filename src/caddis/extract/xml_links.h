// Links in XML: feeds, OAI-PMH, and any other. Internal to extract.
//
// The source is UTF-8, and need not be well-formed: it is read as a browser reads tags.
#pragma once

#include <string_view>

#include "caddis/extract/link_sink.h"

namespace caddis::extract {

// Texts and attributes that are surely URLs, href and src, markup in texts, and xml-stylesheet.
void extract_xml(std::string_view source, LinkSink& sink);

// The style sheet of an instruction, as the tokenizer gives it ("?xml-stylesheet href='a.css'"); others have no link.
void read_instruction(std::string_view text, LinkSink& sink);

// RSS 0.9x, 1.0 and 2.0, Atom (RFC 4287), with Media RSS and podcasts: L to what an item is about, E to what is a part
// of it; all else as in any XML.
void extract_feed(std::string_view source, LinkSink& sink);

// OAI-PMH 2.0 (http://www.openarchives.org/OAI/openarchivesprotocol.html): identifiers of records that are URLs, and the
// next part of a list (resumptionToken); all else as in any XML.
void extract_oai(std::string_view source, LinkSink& sink);

}  // namespace caddis::extract
