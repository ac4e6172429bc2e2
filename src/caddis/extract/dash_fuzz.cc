// A manifest of MPEG-DASH, with all its renditions and with the best.
#include "caddis/extract/dash_links.h"
#include "caddis/extract/link_sink.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis::extract;
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  for (const Renditions renditions : {Renditions::all, Renditions::best}) {
    const Options options{.max_links = 100, .renditions = renditions};
    const Document document{.url = "http://example.org/a/b.mpd", .body = body};
    Extracted out;
    LinkSink sink(document, options, out);
    extract_dash(body, renditions, sink);
    if (out.links.size() > options.max_links) __builtin_trap();
  }
  return 0;
}
