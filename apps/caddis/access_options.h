// Options that all servers of people share: who may ask them (--users), TLS, and what is listened on without either.
#pragma once

#include <memory>
#include <string>
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
  bool tls = false;   // with a certificate that is made once and kept
  std::string certificate, key, client_ca;
  std::string insecure;  // an address to listen at in spite of all
  bool digest = false;
  std::vector<std::string> names;

  bool has_tls() const { return tls || !certificate.empty(); }
  std::string scheme() const { return has_tls() ? "https" : "http"; }
};

// Adds --users, --tls, --tls-certificate, --tls-key, --client-ca, --insecure, --digest and, if `with_names`,
// --public-name.
void add_access_options(CLI::App& command, AccessOptions& options, bool with_names = true);

// Refuses to listen at anything but loopback without TLS or without a log-in, unless --insecure names `listen` once more.
Result<void> check_listen(const AccessOptions& options, const std::string& listen, bool has_login);

// Listens, with TLS if the options say so. A certificate of our own is kept in `folder`, and what people compare with
// their browser is said.
Result<std::unique_ptr<aio::Listener>> open_listener(aio::Loop& loop, aio::Network& network, const aio::Endpoint& at,
                                                     const AccessOptions& options, const std::string& folder);

// The names of the options and this machine's own.
std::vector<std::string> own_names(const AccessOptions& options);

}  // namespace caddis::cli
