// Options that all servers of people share: who may ask them (--users), TLS, and what is listened on without either.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/access/gate.h"
#include "caddis/aio/network.h"
#include "caddis/base/error.h"

namespace CLI {
class App;
}

namespace caddis::cli {

struct AccessOptions {
  std::string users;  // a file (caddis users); empty: none is asked for
  std::string audit;  // a file; empty: `users` with .audit.log behind it
  bool tls = false;   // with a certificate that is made once and kept
  std::string certificate, key, client_ca;
  std::string insecure;          // an address to listen at in spite of all
  bool digest = false;           // passwords set over HTTP may be used by HTTP Digest
  bool makes_admin = false;      // if there is no user yet
  bool trusts_loopback = false;  // as in access::GateOptions
  std::vector<std::string> names;
  std::vector<std::string> proxies;           // as in access::GateOptions
  std::string base;                           // the path below which the server stands
  std::shared_ptr<access::LogOuts> log_outs;  // as in access::GateOptions

  bool has_tls() const { return tls || !certificate.empty() || !key.empty() || !client_ca.empty(); }
  std::string scheme() const { return has_tls() ? "https" : "http"; }
};

// Adds --users, --audit-log, --tls, --tls-certificate, --tls-key, --client-ca, --insecure, --trusted-proxy and, if
// `with_names`, --public-name.
void add_access_options(CLI::App& command, AccessOptions& options, bool with_names = true);

// Adds --trusted-proxy, as add_access_options does.
void add_proxy_option(CLI::App& command, AccessOptions& options);

// How a command names what it listens at, and whether it has the options of TLS.
struct ListenWords {
  std::string_view option = "--listen";
  bool knows_tls = true;
};
// Refuses to listen at anything but loopback without TLS or without a log-in, unless --insecure names `listen` once more.
Result<void> check_listen(const AccessOptions& options, const std::string& listen, bool has_login,
                          const ListenWords& words = {});

// Listens, with TLS if the options say so. A certificate of our own is kept in `folder`, and its fingerprint is said,
// which people compare with what their browser shows; an empty `folder` is that of the users file, or the user's own
// (~/.config/caddis). Names of `options` and addresses of the listener are in it.
Result<std::unique_ptr<aio::Listener>> open_listener(aio::Loop& loop, aio::Network& network, const aio::Endpoint& at,
                                                     const AccessOptions& options, const std::string& folder);

// The gate that the options ask for; `token`: as in access::GateOptions. `--users` has to be given.
Result<std::unique_ptr<access::Gate>> open_gate(access::GateWorld world, const AccessOptions& options,
                                                const std::string& token);

// The names of the options and this machine's own.
std::vector<std::string> own_names(const AccessOptions& options);

}  // namespace caddis::cli
