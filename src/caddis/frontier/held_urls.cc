#include "caddis/frontier/held_urls.h"

#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

#include "caddis/base/counted.h"
#include "caddis/frontier/bytes.h"
#include "caddis/frontier/chunk.h"
#include "caddis/frontier/module_link.h"
#include "caddis/frontier/rows.h"

namespace caddis::frontier {
namespace {

constexpr size_t kIdBytes = 8;
constexpr int kMostGone = 1000;  // ids that the module hands over though they were deleted, at one go

Result<HeldUrl> parse(std::string host, std::string_view row) {
  TRY(const DeferredChunk stored, read_deferred(row));
  TRY(auto candidates, decode_chunk(stored.chunk));
  if (candidates.size() != 1) return fail(ErrorCode::corrupt, "a row of a URL that a module holds has no single URL");
  return HeldUrl{std::move(host), stored.origin, stored.priority, std::move(candidates.front())};
}

}  // namespace

std::string HeldUrls::key(uint64_t id, const std::string& host) const {
  return deferred_key(identity_.partition(host), host, id);
}

Result<HeldUrl> HeldUrls::read(uint64_t id, const std::string& host) const {
  TRY(const auto row, cache_.get(family_, key(id, host)));
  if (!row) return fail(ErrorCode::corrupt, fmt::format("the row of URL {} that a module holds is missing", id));
  return parse(host, *row);
}

Result<void> HeldUrls::open() {
  const auto rows = cache_.kv().cursor(family_);
  for (rows->seek(""); rows->valid(); rows->next()) {
    const std::string_view key = rows->key();
    if (key.size() < kIdBytes + 3) return fail(ErrorCode::corrupt, "a key of a URL that a module holds is too short");
    Reader in(key.substr(key.size() - kIdBytes));
    const std::string_view host = key.substr(2, key.size() - kIdBytes - 3);
    hosts_.emplace(in.be64(), host);
  }
  TRY_VOID(rows->status());
  if (!hosts_.empty()) next_ = hosts_.rbegin()->first + 1;
  if (module_ == nullptr) return {};
  for (const auto& [id, host] : hosts_) {
    TRY(const HeldUrl url, read(id, host));
    module_->add(id, module_link(url.candidate));
  }
  return {};
}

void HeldUrls::add(const HeldUrl& url) {
  const std::array items = {url.candidate};
  const std::string chunk = encode_chunk(items);
  const uint64_t id = next_++;
  cache_.change(family_, key(id, url.host), write_deferred({url.origin, url.priority, chunk}), true);
  hosts_.emplace(id, url.host);
  module_->add(id, module_link(url.candidate));
}

void HeldUrls::ignore_module(std::string_view why) {
  is_ignored_ = true;
  module_->say(
      fmt::format("{}; {} that it held {} visited as found, and it is asked no more until the crawl is "
                  "resumed",
                  why, counted(size(), "URL", "URLs"), size() == 1 ? "is" : "are"));
}

// The id is one that is held.
std::optional<uint64_t> HeldUrls::next_id(bool must_go_on) {
  if (takes() && module_->is_off()) ignore_module("the frontier is switched off");
  for (int gone = 0; takes();) {
    const auto id = module_->next();
    if (id && hosts_.contains(*id)) return id;
    if (id && erased_ > 0) {
      --erased_;
      if (++gone == kMostGone) return {};
    } else if (id) {
      ignore_module(fmt::format("the frontier hands over the URL {}, which it does not hold", *id));
    } else if (module_->is_off()) {
      ignore_module("the frontier is switched off");
    } else if (must_go_on) {
      ignore_module("the frontier hands over nothing, though nothing else is left to visit");
    } else {
      return {};
    }
  }
  return hosts_.empty() ? std::nullopt : std::optional(hosts_.begin()->first);
}

Result<std::optional<HeldUrl>> HeldUrls::next(bool must_go_on) {
  if (hosts_.empty()) return std::optional<HeldUrl>();
  const auto id = next_id(must_go_on);
  if (!id) return std::optional<HeldUrl>();
  const auto held = hosts_.find(*id);
  TRY(auto url, read(*id, held->second));
  cache_.change(family_, key(*id, held->second), std::nullopt);
  hosts_.erase(held);
  return std::optional(std::move(url));
}

Result<void> HeldUrls::each(const std::string& host,
                            const std::function<Result<void>(uint64_t, std::string_view)>& see) const {
  if (hosts_.empty()) return {};
  const std::string prefix = host_key(identity_.partition(host), host) + '\0';
  return cache_.each_from(family_, prefix, prefix, [&](std::string_view key, std::string_view row) -> Result<bool> {
    Reader in(key.substr(prefix.size()));
    TRY_VOID(see(in.be64(), row));
    return true;
  });
}

Result<uint64_t> HeldUrls::count(const std::string& host) const {
  uint64_t urls = 0;
  TRY_VOID(each(host, [&](uint64_t, std::string_view) -> Result<void> {
    ++urls;
    return {};
  }));
  return urls;
}

Result<uint64_t> HeldUrls::erase(const std::string& host, const std::function<bool(const HeldUrl&)>& match) {
  std::vector<uint64_t> erased;
  TRY_VOID(each(host, [&](uint64_t id, std::string_view row) -> Result<void> {
    TRY(const HeldUrl url, parse(host, row));
    if (match(url)) erased.push_back(id);
    return {};
  }));
  for (const uint64_t id : erased) {
    cache_.change(family_, key(id, host), std::nullopt);
    hosts_.erase(id);
  }
  erased_ += erased.size();
  return erased.size();
}

}  // namespace caddis::frontier
