// A URL that a scope is asked about, with what is known of it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/base/clock.h"
#include "caddis/url/url.h"

namespace caddis::scope {

struct SiteRules;

// The countries in which addresses are.
class Countries {
 public:
  virtual ~Countries() = default;
  // "AT"; empty if it is not known. Any thread.
  virtual std::string country_of(std::string_view address) const = 0;
};

// The server, as far as it is known before it was asked, or with its answer; borrowed for the call.
struct Answer {
  int status = 0;              // HTTP's, or one of base/fetch_status.h
  std::string_view mime = {};  // without parameters
  int64_t length = -1;         // bytes of the body: those received, or before that Content-Length; -1: not known
  bool is_identical = false;   // the digest is that of the capture before
  std::string_view address = {};
  const Countries* countries = nullptr;  // null: nobody knows countries
  bool has_come = true;                  // false: its address is known at most
};

// A link as it was found, or a URL that was visited; borrowed for the call.
struct Candidate {
  const url::Url& url;
  std::string_view hop_path =
      {};  // from the seed, one letter a hop, this link's own last: "LLE"; "25+LLE" stands for 28 hops
  std::string_view via = {};  // the page it was found on
  bool is_seed = false;
  const SiteRules* rules = nullptr;   // what sheets say of the URL's site; null: the rules of the crawl
  std::string_view source_seed = {};  // the seed from which the links led here
  const Answer* answer = nullptr;     // null: nothing is known of it
  WallTime at = {};                   // the moment at which it is asked
};

}  // namespace caddis::scope
