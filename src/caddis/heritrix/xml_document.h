// An XML document of configuration as a tree, within bounds. Expat parses.
//
// It fetches nothing, and no entity is expanded but the five of XML and character references: a document that declares
// entities of its own is refused. Comments and processing instructions are left out. Any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/error.h"

namespace caddis::heritrix {

// Bytes of a document, depth and number of its elements.
inline constexpr size_t kMostXml = 16'000'000;
inline constexpr size_t kMostDepth = 64;
inline constexpr size_t kMostElements = 200'000;

struct XmlElement {
  std::string name;  // as written, with its prefix
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<XmlElement> children;
  std::string text;  // all of its own, that of its children aside
  size_t line = 0;

  // Null if it has none of that name.
  const std::string* attribute(std::string_view attribute_name) const;
  // The first one of that name; null if there is none.
  const XmlElement* child(std::string_view child_name) const;
};

// Returns the root. ErrorCode::parse names the line; ErrorCode::limit if the document is beyond the bounds.
Result<XmlElement> read_xml(std::string_view document);

}  // namespace caddis::heritrix
