// One archived answer against the one that the world gives. Internal to verify.
#pragma once

#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/warc/reader.h"
#include "simweb/oracle/oracle.h"

namespace simweb {

struct Comparison {
  std::string difference;  // empty where there is none
  // An answer that asks to come again (429, 503; 302 of a door), or none at all (304): the URL may be kept once more.
  bool interim = false;
  bool unchanged = false;  // a 304: the payload is that of an earlier capture
};

// Reads the rest of a response or revisit record. `expected` is what expect() says of the page.
caddis::Result<Comparison> compare_record(const World& world, const HostFacts& host, const PageRef& page,
                                          const Expectation& expected, caddis::warc::Record& record);

}  // namespace simweb
