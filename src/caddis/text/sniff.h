// Which encoding an HTML document is in: the encoding sniffing algorithm of the HTML Standard
// (https://html.spec.whatwg.org/multipage/parsing.html#encoding-sniffing-algorithm).
//
// Byte order mark, then the transport's charset, then a `<meta>` or XML declaration in the first 1024 bytes. What
// browsers do later, when their tree builder meets a `<meta>` behind those, is done at once: the search goes on to the
// end of the document. Where nothing is declared, text that is not ASCII but UTF-8 throughout is taken as UTF-8, else
// the fallback holds. Pure functions, any thread; time is linear.
#pragma once

#include <string_view>

namespace caddis::text {

enum class EncodingSource { byte_order_mark, transport, declaration, detection, fallback };

struct SniffedEncoding {
  std::string_view name;  // of the Encoding Standard
  EncodingSource source = EncodingSource::fallback;
};

SniffedEncoding sniff_html(std::string_view bytes, std::string_view transport_charset,
                           std::string_view fallback = "windows-1252");

// The same for plain text, CSS (`@charset`), scripts and XML: no `<meta>` there, and UTF-8 unless declared otherwise.
SniffedEncoding sniff_text(std::string_view bytes, std::string_view transport_charset);

// "Prescan a byte stream to determine its encoding": the encoding that a `<meta>` of `bytes` declares, empty for none.
std::string_view prescan_meta(std::string_view bytes);

// The encoding in `text/html; charset=x`, by the standard's lenient "extract a character encoding from a meta element";
// empty for none or an unknown one. `charset_label` gives the label as written.
std::string_view charset_label(std::string_view content_type);
std::string_view encoding_of_content_type(std::string_view content_type);

}  // namespace caddis::text
