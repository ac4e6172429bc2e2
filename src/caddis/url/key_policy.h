// A key policy: a list of named steps, each with its arguments and guards, that makes a key of a URL. It is read from
// one notation (docs/formats/key-policy.md), which settings, the command line, warcinfo and the `.meta` of an index share:
//
//   caddis/1                                                  as shipped
//   caddis/1 -strip-session-ids +strip-www +regex(s/;v=\d+//)
//   ia-surt/1 -strip-www-n@site(example.org) +index-document@from(2010),to(2012)
//   mine/3: whatwg-parse strip-fragment lowercase-parts write-url
//
// Shipped: caddis (the crawl key), exact, heritrix, ia-surt (the index key: byte for byte what Python's `surt` writes
// into CDX files, its quirks included), ssurt, owb-aggressive, semantic, outback. A policy is an immutable value: copies share
// what was compiled, and any thread may use it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"

namespace caddis::url {

struct KeyRules;

// How a key is written, which says what a range of keys can mean.
enum class KeyForm {
  url,        // "http://example.org/a"
  surt,       // "org,example)/a"
  ssurt,      // "org,example,//http:/a"
  host_path,  // "example.org/a"
  outback,    // "org,example):8080/a", but "192.0.2.1/a"
};

// Captures from `from` on, and before `to`; 14 digits, empty for no end.
struct KeyPeriod {
  std::string from, to;
};

class KeyPolicy {
 public:
  // ErrorCode::config for a notation that is wrong: what, where, and what there is.
  static Result<KeyPolicy> parse(std::string_view notation);
  static const KeyPolicy& caddis();
  static const KeyPolicy& ia_surt();
  // "caddis", "exact", …
  static std::vector<std::string> shipped_names();

  // The normal form: what it was made of, with all names and versions written out. `parse` reads it back.
  const std::string& notation() const;
  // All steps in order, each with arguments and guards.
  const std::string& steps() const;
  // 16 hexadecimal digits, of the SHA-256 of `steps`.
  const std::string& hash() const;
  // "caddis/1: whatwg-parse … write-url (sha256 …)": for a person who reads it without this program.
  std::string record() const;
  KeyForm form() const;

  // Periods within which a URL has one key; one without ends if no step is guarded by dates. In order.
  const std::vector<KeyPeriod>& periods() const;

  // They make the same keys.
  bool operator==(const KeyPolicy& other) const { return hash() == other.hash(); }
  const KeyRules& rules() const { return *rules_; }

 private:
  explicit KeyPolicy(std::shared_ptr<const KeyRules> rules) : rules_(std::move(rules)) {}
  std::shared_ptr<const KeyRules> rules_;
};

}  // namespace caddis::url
