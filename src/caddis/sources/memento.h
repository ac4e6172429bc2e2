// Mementos of other archives (RFC 7089): their addresses, TimeMaps in link format (RFC 6690), and the record that a memento is
// read as. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/http/head.h"

namespace caddis::sources {

struct MementoLink {
  std::string address;
  std::string timestamp;  // 14 digits
};

struct MementoLinks {
  std::vector<MementoLink> mementos;  // in the order in which they stand there
  std::vector<std::string> timemaps;  // other pages, and the whole
  std::string original;               // empty if it is not named
};

// The links of a TimeMap, or of a field Link. What is no memento is left out; whatever the text, in linear time.
MementoLinks parse_memento_links(std::string_view text);

// The address under which archives give the body as captured: "…/20140101000000/http://…" with "id_" behind the time.
std::string raw_memento_address(std::string_view address);

// The address of a memento below a prefix that ends in '/'.
std::string memento_address(std::string_view prefix, std::string_view timestamp, std::string_view url);

// "https://host:port", lower case; empty for what is no address.
std::string origin_of(std::string_view address);

// The head of the captured response, as far as the answer of an archive tells it: fields that it gives as X-Archive-Orig-… have
// their own names, and its own are left out.
std::string captured_head(const http::ResponseHead& answer);

}  // namespace caddis::sources
