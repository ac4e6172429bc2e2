#include "caddis/crawl/seed_fates.h"

#include <fmt/format.h>

#include "caddis/base/strings.h"
#include "caddis/config/seeds.h"

namespace caddis::crawl {
namespace {

SeedFate read(std::string_view row) {
  const auto parts = split(row, ' ');
  return {static_cast<FetchStatus>(parse_int(parts[0]).value_or(0)), parts.size() > 2 && parts[2] == "known",
          parts.size() > 1 ? std::string(parts[1]) : ""};
}

}  // namespace

void SeedFates::put(const std::string& url, const SeedFate& fate) {
  changed_[url] = fmt::format("{} {}{}", fate.status, fate.redirect, fate.known ? " known" : "");
}

void SeedFates::add(const std::string& url, bool known) {
  ++added_;
  // It may have been visited since, as a link.
  if (!changed_.contains(url)) put(url, {.known = known});
}

void SeedFates::add_unusable(std::string_view text) {
  put(config::shown_unusable(text), {.status = status::kUnfetchable});
}

void SeedFates::visited(const std::string& url, FetchStatus status, std::string_view redirect) {
  put(url, {.status = status, .redirect = std::string(redirect)});
}

void SeedFates::stage(store::Batch& batch, store::Family family) {
  for (const auto& [url, row] : changed_) batch.put(family, kRow + url, row);
  changed_.clear();
}

Result<void> each_seed_fate(store::Kv& kv, store::Family family,
                            const std::function<Result<void>(std::string_view url, const SeedFate& fate)>& call) {
  const auto rows = kv.cursor(family);
  for (rows->seek(std::string(1, SeedFates::kRow)); rows->valid() && rows->key().front() == SeedFates::kRow;
       rows->next())
    TRY_VOID(call(rows->key().substr(1), read(rows->value())));
  return rows->status();
}

void SeedTally::count(std::string_view url, const SeedFate& fate) {
  ++(is_success(fate.status) ? crawled : not_crawled);
  if (fate.status == 0 && fate.known) {
    if (++known <= kTold) first_known.emplace_back(url);
  } else if (!is_success(fate.status) || is_http_error(fate.status)) {
    if (++failed <= kTold) first_failed.emplace_back(url, fate);
  }
}

}  // namespace caddis::crawl
