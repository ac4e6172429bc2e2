#include "caddis/crawl/seed_fates.h"

#include <fmt/format.h>

#include "caddis/base/capture_status.h"
#include "caddis/base/strings.h"
#include "caddis/config/seeds.h"

namespace caddis::crawl {
namespace {

constexpr std::string_view kKnown = "known", kRemoved = "removed";

SeedFate read(std::string_view row) {
  const auto parts = split(row, ' ');
  const std::string_view word = parts.size() > 2 ? parts[2] : std::string_view();
  return {static_cast<FetchStatus>(parse_int(parts[0]).value_or(0)), word == kKnown, word == kRemoved,
          parts.size() > 1 ? std::string(parts[1]) : ""};
}

}  // namespace

void SeedFates::put(const std::string& url, const SeedFate& fate) {
  const std::string_view word = removed_.contains(url) ? kRemoved : fate.known ? kKnown : std::string_view();
  changed_[url] = fmt::format("{} {}{}{}", fate.status, fate.redirect, word.empty() ? "" : " ", word);
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

Result<SeedFate> SeedFates::of(store::Kv& kv, store::Family family, const std::string& url) const {
  for (const auto* rows : {&changed_, &staged_})
    if (const auto found = rows->find(url); found != rows->end()) return read(found->second);
  TRY(const auto row, kv.get(family, kRow + url));
  return row ? read(*row) : SeedFate();
}

void SeedFates::remove(const std::string& url, SeedFate fate) {
  removed_.insert(url);
  put(url, fate);
}

void SeedFates::name_again(const std::string& url, SeedFate fate) {
  removed_.erase(url);
  put(url, fate);
}

void SeedFates::stage(store::Batch& batch, store::Family family) {
  for (const auto& [url, row] : changed_) batch.put(family, kRow + url, row);
  staged_ = std::exchange(changed_, {});
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
  if (fate.removed) {
    ++removed;
    return;
  }
  const bool captured = is_captured(fate.status, url);
  ++(captured ? crawled : not_crawled);
  if (fate.status == 0 && fate.known) {
    if (++known <= kTold) first_known.emplace_back(url);
  } else if (!captured || is_http_error(fate.status)) {
    if (++failed <= kTold) first_failed.emplace_back(url, fate);
  }
}

}  // namespace caddis::crawl
