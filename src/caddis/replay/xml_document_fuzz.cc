// A document of XML from anywhere.
#include "caddis/replay/xml_document.h"

#include <cstdint>
#include <string_view>

#include "caddis/replay/fuzz_windows.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis::replay;
  if (size > 64 * 1024) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const LinkRewriter links("/c/", "20260102030405", *caddis::url::Url::parse("http://example.org/dir/a.xml"),
                           Modifier::other);
  fuzz_in_windows<XmlRewriter>(input, links);
  (void)has_xhtml_root(input);
  return 0;
}
