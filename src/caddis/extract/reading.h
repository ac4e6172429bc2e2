// One document on its way through the extractors. Internal to extract. Belongs to one thread.
#pragma once

#include <string>
#include <string_view>

#include "caddis/extract/extract.h"

namespace caddis::extract {

class LinkSink;
class Plan;

struct Reading {
  const Document& document;
  const Plan& plan;
  Extracted& out;
  LinkSink& sink;
  bool has_body = false;  // with a status whose body is read
  bool is_read = false;   // an extractor has read the body: those for what is left do not
  unsigned depth = 0;     // of documents within documents
  std::string storage = {};
  std::string_view decoded = {};
  bool is_decoded = false;

  DocumentType type() const { return out.type; }
  bool is(DocumentType wanted) const { return has_body && out.type == wanted; }
  // The body in UTF-8, made once; its charset goes into the result and the sink.
  std::string_view text();
  // Finds the charset of the body, and hands it to the result and the sink.
  void find_charset();
};

}  // namespace caddis::extract
