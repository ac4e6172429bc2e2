// Fetches a URL of another scheme than http and https: ftp, sftp, whois, file. The outcome has an exchange without a head
// (http::Resource).
//
//   fetch::ResourceFetcher fetcher(loop, network, spools, &addresses);
//   if (fetch::ResourceFetcher::knows(url)) outcome = co_await fetcher.fetch(std::move(request), settings);
//
// Belongs to its lane's loop.
#pragma once

#include "caddis/fetch/address_policy.h"
#include "caddis/fetch/fetcher.h"
#include "caddis/io/spool.h"
#include "caddis/protocols/local_files.h"
#include "caddis/protocols/sftp_client.h"
#include "caddis/protocols/transfer.h"
#include "caddis/protocols/wires.h"

namespace caddis::fetch {

class ResourceFetcher final : public Fetcher {
 public:
  // All of them outlive it. No connection is made that `addresses` refuse, if there are some.
  ResourceFetcher(aio::Loop& loop, aio::Network& network, io::SpoolFolder& spools, protocols::HostKeys& keys,
                  const AddressPolicy* addresses = nullptr);

  // Whether it fetches URLs of that scheme.
  static bool knows(const url::Url& url);

  aio::Task<FetchOutcome> fetch(FetchRequest request, const FetchSettings& settings) override;
  // The connections of its fetches: they can be ended.
  protocols::Wires& wires() { return wires_; }
  const protocols::Wires& wires() const { return wires_; }

 private:
  aio::Task<protocols::TransferResult> transfer(const url::Url& url, protocols::Transfer what,
                                                const FetchSettings& settings);
  // Whether nobody can or may fetch it, which the outcome then says.
  bool is_refused(const FetchRequest& request, const aio::Endpoint& server, const FetchSettings& settings,
                  FetchOutcome& outcome) const;

  io::SpoolFolder& spools_;
  protocols::HostKeys& keys_;
  const AddressPolicy* const addresses_;
  protocols::Wires wires_;
  protocols::LocalFiles files_;
};

}  // namespace caddis::fetch
