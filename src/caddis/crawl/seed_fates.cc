#include "caddis/crawl/seed_fates.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/base/utf8.h"
#include "caddis/config/seeds.h"

namespace caddis::crawl {

bool SeedFates::add(const std::string& url) {
  const bool is_new = seeds_.try_emplace(url).second;
  if (is_new) changed_.insert(url);
  return is_new;
}

void SeedFates::add_unusable(std::string_view text) {
  constexpr size_t kLongest = 500;
  std::string shown = config::shown_seed(text).substr(0, kLongest);
  // Reports are columns.
  std::ranges::replace_if(shown, [](unsigned char c) { return c <= ' ' || c == 0x7f; }, '_');
  if (!is_utf8(shown)) std::ranges::replace_if(shown, [](unsigned char c) { return c >= 0x80; }, '_');
  if (!add(shown)) return;
  seeds_[shown].status = status::kUnfetchable;
}

void SeedFates::mark_known(const std::string& url) {
  SeedFate& fate = seeds_[url];
  if (fate.known || fate.status != 0) return;
  fate.known = true;
  changed_.insert(url);
}

void SeedFates::visited(const std::string& url, FetchStatus status, std::string_view redirect) {
  SeedFate& fate = seeds_[url];
  fate.status = status;
  fate.redirect = redirect;
  changed_.insert(url);
}

void SeedFates::stage(store::Batch& batch, store::Family family) {
  for (const std::string& url : changed_) {
    const SeedFate& fate = seeds_[url];
    batch.put(family, kRow + url, fmt::format("{} {}{}", fate.status, fate.redirect, fate.known ? " known" : ""));
  }
  changed_.clear();
}

void SeedFates::load(std::string_view url, std::string_view value) {
  const auto parts = split(value, ' ');
  seeds_[std::string(url)] = {static_cast<int>(parse_int(parts[0]).value_or(0)),
                              parts.size() > 2 && parts[2] == "known", parts.size() > 1 ? std::string(parts[1]) : ""};
}

}  // namespace caddis::crawl
