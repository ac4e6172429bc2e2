#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "caddis/base/strings.h"
#include "caddis/extract/extract.h"

// Three parts: a line with the Content-Type, a line with the name of the file, and the body.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using caddis::extract::DocumentType;
  const auto take_line = [](std::string_view& rest) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    return line;
  };
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  caddis::extract::Document document;
  document.content_type = take_line(rest);
  const std::string url = "http://example.org/" + std::string(take_line(rest));
  document.url = url;
  document.body = rest;
  const DocumentType type = caddis::extract::document_type(document);
  // What no server calls HTML is none without a tag.
  const bool is_called_so = caddis::to_lower(document.content_type).find("html") != std::string::npos;
  const bool is_called_wap = caddis::to_lower(document.content_type).find("wap") != std::string::npos;
  if (type == DocumentType::html && !is_called_so && !is_called_wap && rest.find('<') == std::string_view::npos)
    std::abort();
  return 0;
}
