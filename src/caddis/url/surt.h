// SURT, "sort-friendly URI reordering transform": host labels reversed, so that a domain's URLs stand together.
//
// Two dialects live on: the index key ("com,example)/path", canonicalize.h's ia-surt) and Heritrix's SURT with scheme
// and trailing comma ("http://(com,example,www,)/path"), in which scope rules and sheets are written. In Heritrix's
// dialect https counts as http. Everything here is pure and may be called from any thread; a SurtPrefixSet belongs to
// its owner.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/url/url.h"

namespace caddis::url {

// The index key of a URL: canonicalize(KeyPolicy::ia_surt(), url).
Result<std::string> surt(std::string_view url);

// "www.example.com" -> "com,example,www"; addresses too ("1,0,0,127"), except IPv6, which has no dots.
std::string surt_host(std::string_view host);

// Heritrix's SURT of a URL, fragment left out, https folded to http: "http://(com,example,www,)/path?query".
std::string heritrix_surt(const Url& url);

// The prefix that a seed implies, as Heritrix derives it: "http://example.com/dir/page" ->
// "http://(com,example,)/dir/". Whether the text of a bare host ends with a slash matters ("http://example.com" covers
// its subdomains too, with one only the host), therefore the text as the user wrote it is asked for, not an Url. A
// missing scheme means http.
Result<std::string> surt_prefix_from_text(std::string_view text);
// The same for a parsed URL, whose path is never empty: only its host.
std::string surt_prefix_of_url(const Url& url);
// "http://(com,example," : the host and its subdomains; "http://(com,example,www,)": the host alone.
std::string surt_prefix_of_domain(std::string_view host);
std::string surt_prefix_of_host(std::string_view host);

// A set of SURT prefixes. A prefix that another one covers is not kept.
class SurtPrefixSet {
 public:
  void add(std::string_view prefix);
  // Lines as in Heritrix's surts files: "+http://(com,example," and bare prefixes as they are, URLs and hosts by
  // surt_prefix_from_text; empty lines and "#" comments are passed over.
  Result<void> add_line(std::string_view line);

  // The prefix of this set with which `surt` begins; empty where there is none.
  std::string_view find(std::string_view surt) const;
  bool matches(std::string_view surt) const { return !find(surt).empty(); }
  bool matches(const Url& url) const { return matches(heritrix_surt(url)); }

  bool empty() const { return prefixes_.empty(); }
  size_t size() const { return prefixes_.size(); }
  auto begin() const { return prefixes_.begin(); }
  auto end() const { return prefixes_.end(); }

 private:
  std::set<std::string, std::less<>> prefixes_;
};

}  // namespace caddis::url
