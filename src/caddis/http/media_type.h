// Media types as Content-Type carries them (RFC 9110 section 8.3.1): "Text/HTML; charset=\"utf-8\"". Lenient: servers
// have sent every mistake there is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/http/fields.h"

namespace caddis::http {

class Head;

struct MediaType {
  std::string essence;                // "text/html", lower case; empty where there is nothing of the form type/subtype
  std::vector<Parameter> parameters;  // borrow names from the parsed text

  // The value of a parameter, name without regard to case; empty where it is absent.
  std::string_view parameter(std::string_view name) const;
  // The charset's label as sent, without quotes and blanks; empty where there is none.
  std::string_view charset() const { return parameter("charset"); }
};

MediaType parse_media_type(std::string_view value);

// That of a head's Content-Type; of several, the last that can be parsed, as browsers do (Fetch, "extract a MIME
// type").
MediaType content_type(const Head& head);

// The essence as crawl.log and CDX write it: "unknown" where there is none.
std::string mime_of(const Head& head);

}  // namespace caddis::http
