// Where a crawl may connect to: to public addresses, and to others that its operator has named.
//
//   addresses.take_seed(url);                              // what people name
//   if (auto why = addresses.refusal(to, settings.allow_addresses)) …   // no connection is made
//
// Addresses that are private, loopback, link-local or otherwise of no public network (url/address_block.h) are refused,
// since any page may name them: what stands there was not meant for an archive. Two things allow them:
//
//   a seed              the whole range that its address lies in, for all of the crawl. A seed found by a
//                       redirect does not count. A seed's name counts where its first look-up gave such addresses
//                       alone: later answers are its name server's to choose (DNS rebinding)
//   fetch.allow-addresses   blocks of addresses, or all
//
// A crawl whose operator nobody can reach stays on its own machine, whatever else allows more.
//
// One for a crawl; any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/aio/network.h"
#include "caddis/base/error.h"
#include "caddis/base/fingerprint_set.h"
#include "caddis/url/url.h"

namespace caddis::fetch {

class AddressPolicy {
 public:
  // Allows the range of a seed whose host is an address or localhost, and tells whether it was not before; remembers
  // another host for take_lookup.
  bool take_seed(const url::Url& seed);
  // So many more seeds are to come: there is room for them at once.
  void reserve_seeds(size_t more) { seed_hosts_.reserve(more); }
  // What the first look-up of a host gave. If the host is a seed's and none of the addresses is public, their ranges
  // are allowed; returns their names, to be kept across restarts. It returns them each time: a look-up that could not
  // be kept is made again.
  std::vector<std::string> take_lookup(const std::string& host, const std::vector<std::string>& addresses);
  // A range by the name that take_lookup gave.
  void allow_range(std::string_view name);

  // From now on only addresses of this machine may be connected to: no contact is named.
  void stay_on_this_machine() { stays_ = true; }
  bool stays() const { return stays_; }

  // Why nobody may connect there, in words; nothing where one may. `allowed`: fetch.allow-addresses.
  std::optional<std::string> refusal(const aio::Endpoint& to, const std::vector<std::string>& allowed) const;
  // Never to be connected to, whatever seeds and settings say: where this process itself listens. One that listens at
  // 0.0.0.0 or :: is reached under every loopback address; its others are to be given, too (aio/own_endpoints.h).
  void forbid(aio::Endpoint own);

 private:
  bool allow(unsigned range);  // whether it was not before

  std::atomic<uint64_t> allowed_ = 0;  // a bit for each range
  std::atomic<bool> stays_ = false;
  FingerprintSet seed_hosts_;
  mutable std::shared_mutex mutex_;  // of what follows
  std::vector<aio::Endpoint> own_;
};

// The address that a URL's host is, without brackets; that of this machine for localhost; empty for other names.
std::string address_in(const url::Url& url);

// An entry of fetch.allow-addresses. ErrorCode::config where it is neither a block nor "all".
Result<void> check_allowed(std::string_view entry);

}  // namespace caddis::fetch
