#include "caddis/fetch/address_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "caddis/url/address_block.h"

namespace caddis::fetch {
namespace {

constexpr std::string_view kAll = "all";

bool is_loopback(const url::Ipv6& address) {
  const auto range = url::special_range(address);
  return range && range->block == "127.0.0.0/8";
}

// 0.0.0.0 and ::, by which whoever connects means this machine.
bool is_any(const url::Ipv6& address) { return address == url::Ipv6{} || address == url::parse_address("0.0.0.0"); }

// Whether who connects to `to` gets to who listens at `own`.
bool leads_to(const url::Ipv6& to, const url::Ipv6& own) {
  if (is_any(own)) return is_any(to) || is_loopback(to);
  return is_any(to) ? is_loopback(own) : to == own;
}

bool is_allowed(const url::Ipv6& address, const std::vector<std::string>& entries) {
  return std::ranges::any_of(entries, [&address](const std::string& entry) {
    if (entry == kAll) return true;
    const auto block = url::AddressBlock::parse(entry);
    return block && url::stands_in(*block, address);
  });
}

}  // namespace

bool AddressPolicy::allow(unsigned range) {
  const uint64_t bit = uint64_t{1} << range;
  return (allowed_.fetch_or(bit, std::memory_order_acq_rel) & bit) == 0;
}

void AddressPolicy::allow_range(std::string_view name) {
  if (const auto range = url::special_range_of_block(name)) allow(range->number);
}

bool AddressPolicy::take_seed(const url::Url& seed) {
  if (const auto address = url::parse_address(address_in(seed))) {
    const auto range = url::special_range(*address);
    return range && allow(range->number);
  }
  seed_hosts_.insert(seed.hostname());
  return false;
}

std::vector<std::string> AddressPolicy::take_lookup(const std::string& host,
                                                    const std::vector<std::string>& addresses) {
  std::vector<url::SpecialRange> ranges;
  for (const std::string& text : addresses) {
    const auto address = url::parse_address(text);
    const auto range = address ? url::special_range(*address) : std::nullopt;
    if (!range) return {};
    ranges.push_back(*range);
  }
  if (!seed_hosts_.contains(host)) return {};
  std::vector<std::string> names;
  for (const url::SpecialRange& range : ranges) {
    allow(range.number);
    names.emplace_back(range.block);
  }
  return names;
}

void AddressPolicy::forbid(aio::Endpoint own) {
  const std::unique_lock lock(mutex_);
  own_.push_back(std::move(own));
}

std::optional<std::string> AddressPolicy::refusal(const aio::Endpoint& to,
                                                  const std::vector<std::string>& allowed) const {
  const auto address = url::parse_address(to.address);
  if (!address) return fmt::format("'{}' is no address", to.address);
  {
    const std::shared_lock lock(mutex_);
    for (const aio::Endpoint& own : own_) {
      const auto listener = url::parse_address(own.address);
      if (own.port == to.port && listener && leads_to(*address, *listener))
        return fmt::format("{} port {} is this crawl's own", to.address, to.port);
    }
  }
  if (stays_ && !is_loopback(*address) && !is_any(*address))
    return fmt::format(
        "{} is not on this machine, and site owners could reach nobody: resume the crawl with --contact "
        "URL-or-address",
        to.address);
  const auto range = url::special_range(*address);
  if (!range || (allowed_.load(std::memory_order_acquire) >> range->number & 1) != 0 || is_allowed(*address, allowed))
    return std::nullopt;
  return fmt::format("the address {} is {} ({}), and neither a seed nor fetch.allow-addresses names it", to.address,
                     range->what, range->block);
}

std::string address_in(const url::Url& url) {
  std::string_view host = url.hostname();
  if (host == "localhost" || host.ends_with(".localhost")) return "127.0.0.1";
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return url::parse_address(host) ? std::string(host) : std::string();
}

Result<void> check_allowed(std::string_view entry) {
  if (entry == kAll) return {};
  TRY_VOID(url::AddressBlock::parse(entry));
  return {};
}

}  // namespace caddis::fetch
