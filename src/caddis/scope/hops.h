// Reading hop paths: how a URL was reached from its seed, a letter a hop (Heritrix's): L navigation, S form, M manifest
// (sitemap), R redirect, E embed, X speculative, I inferred, P prerequisite. "25+LLE" stands for 28 hops. Pure
// functions.
#pragma once

#include <cstdint>
#include <string_view>

namespace caddis::scope {

int64_t count_hops(std::string_view hop_path);
// Whether it is one: a count or none, then letters that there are.
bool is_hop_path(std::string_view text);
// The letters, without a leading count.
std::string_view hop_letters(std::string_view hop_path);

// So many redirects in a row, the last hop among them, lead to it: 2 of "LERR".
int64_t count_redirects(std::string_view hop_path);

// The run of hops behind the last page: how far an embed is from the page that needs it.
struct Transclusion {
  int64_t hops = 0;         // all of them
  int64_t transitive = 0;   // without redirects
  int64_t speculative = 0;  // guesses
};
Transclusion count_transclusion(std::string_view hop_path);

}  // namespace caddis::scope
