// Guards of a step of a key policy: the sites and the period of captures for which the step is taken.
//
//   @site(example.org http://other.net/docs/)     of these hosts with their subdomains, below these URLs, SURT prefixes
//   @from(2010) @to(201206)                       captured from then on, up to then, inclusive
//   @!site(example.org),from(2010)                not of this site from 2010 on
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/url/surt.h"
#include "caddis/url/url.h"

namespace caddis::url {

// The facts of a capture that guards ask for.
struct GuardFacts {
  std::string surt;       // empty: no URL
  std::string timestamp;  // 14 digits

  // `url` may be null; then `text` is read, as far as it is a URL.
  static GuardFacts of(const Url* url, std::string_view text, std::string_view timestamp);
};

class KeyGuard {
 public:
  // Reads what stands between '@' and the next '@'.
  static Result<KeyGuard> parse(std::string_view text);

  bool holds(const GuardFacts& facts) const;
  bool has_sites() const { return !site_names_.empty(); }
  bool has_dates() const { return !from_.empty() || !to_.empty(); }
  const std::string& from() const { return from_; }
  const std::string& to() const { return to_; }
  KeyGuard negated() const;
  // With its '@'.
  std::string write() const;

 private:
  Result<void> add(std::string_view name, std::string_view arguments);

  bool is_negated_ = false;
  std::vector<std::string> site_names_;
  SurtPrefixSet sites_;
  std::string from_, to_;
};

}  // namespace caddis::url
