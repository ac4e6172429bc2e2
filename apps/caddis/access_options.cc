#include "access_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdlib>
#include <utility>

#include "caddis/access/answers.h"
#include "caddis/access/certificate.h"
#include "caddis/aio/own_endpoints.h"
#include "caddis/aio/tls_listener.h"
#include "caddis/base/clock.h"
#include "caddis/base/output.h"
#include "caddis/control/endpoint.h"
#include "caddis/io/files.h"

namespace caddis::cli {
namespace {

// The folder that keeps a certificate of our own.
Result<std::string> own_folder(const AccessOptions& options) {
  if (!options.users.empty()) return io::parent_path(options.users);
  const char* const home = std::getenv("HOME");
  if (home != nullptr) return io::join_path(home, ".config/caddis");
  return fail(ErrorCode::config,
              "a certificate cannot be kept without a home folder: give --tls-certificate and --tls-key");
}

}  // namespace

void add_access_options(CLI::App& command, AccessOptions& options, bool with_names) {
  command.add_option("--users", options.users, "Ask who they are: a file of users (caddis users makes it)")
      ->option_text("FILE");
  command
      .add_option("--audit-log", options.audit,
                  "A line of JSON for each change and log-in; without it, in a file beside that of the users")
      ->option_text("FILE");
  command.add_flag("--tls", options.tls, "HTTPS, with a certificate that is made once and kept");
  command.add_option("--tls-certificate", options.certificate, "HTTPS, with this certificate (PEM)")
      ->option_text("FILE");
  command.add_option("--tls-key", options.key, "The key of that certificate (PEM)")->option_text("FILE");
  command
      .add_option("--client-ca", options.client_ca,
                  "HTTPS only for clients with a certificate of these authorities (PEM)")
      ->option_text("FILE");
  command
      .add_option("--insecure", options.insecure,
                  "Listen at this address, given once more, though others can reach it and TLS or a log-in is missing")
      ->option_text("ADDR:PORT");
  add_proxy_option(command, options);
  if (with_names)
    command.add_option("--public-name", options.names,
                       "NAME under which people reach the server, besides addresses and localhost (repeatable)");
}

void add_proxy_option(CLI::App& command, AccessOptions& options) {
  command
      .add_option("--trusted-proxy", options.proxies,
                  "An address or block of proxies that say in X-Forwarded-For who asks (repeatable)")
      ->option_text("NETWORK");
}

Result<void> check_listen(const AccessOptions& options, const std::string& listen, bool has_login,
                          const ListenWords& words) {
  TRY(const aio::Endpoint at, control::parse_endpoint(listen));
  if (access::is_loopback(at.address)) return {};
  if (!options.insecure.empty() && options.insecure != listen)
    return fail(ErrorCode::config, fmt::format("--insecure {} is not the address of {}: give {} once more",
                                               options.insecure, words.option, listen));
  if (!options.insecure.empty() || (options.has_tls() && has_login)) return {};
  if (!words.knows_tls)
    return fail(
        ErrorCode::config,
        fmt::format("{0} {1}: others can reach it, and what goes there can be read on its way. Give --insecure {1} "
                    "if something else keeps strangers and listeners out",
                    words.option, listen));
  const std::string_view missing = options.has_tls() ? "--users FILE" : has_login ? "--tls" : "--tls and --users FILE";
  return fail(ErrorCode::config,
              fmt::format("others can reach {0}: that needs {1}, or --insecure {0} if something else "
                          "keeps strangers and listeners out",
                          listen, missing));
}

std::vector<std::string> own_names(const AccessOptions& options) {
  std::vector<std::string> names = options.names;
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) == 0 && name[0] != '\0') names.emplace_back(name.data());
  return names;
}

Result<std::unique_ptr<aio::Listener>> open_listener(aio::Loop& loop, aio::Network& network, const aio::Endpoint& at,
                                                     const AccessOptions& options, const std::string& folder) {
  if (!options.has_tls()) return network.listen(at);
  TRY(const std::string keeper, folder.empty() ? own_folder(options) : Result<std::string>(folder));
  access::TlsSources sources{.certificate = options.certificate,
                             .key = options.key,
                             .client_ca = options.client_ca,
                             .folder = keeper,
                             .names = own_names(options)};
  for (const aio::Endpoint& own : aio::own_endpoints(at))
    if (!own.address.contains('%')) sources.names.push_back(own.address);
  TRY(const access::TlsTexts texts, access::load_tls(io::real_files(), system_clock(), sources));
  const aio::TlsServerOptions tls{
      .certificate_pem = texts.certificate_pem, .key_pem = texts.key_pem, .client_ca_pem = texts.client_ca_pem};
  TRY(auto listener, aio::listen_tls(loop, at, tls));
  if (texts.is_own) say(fmt::format("TLS certificate of our own, SHA-256: {}\n", texts.fingerprint));
  return listener;
}

Result<std::unique_ptr<access::Gate>> open_gate(access::GateWorld world, const AccessOptions& options,
                                                const std::string& token) {
  return access::Gate::open(world, {.users_file = options.users,
                                    .audit_file = options.audit.empty() ? options.users + ".audit.log" : options.audit,
                                    .names = own_names(options),
                                    .token = token,
                                    .makes_admin = options.makes_admin,
                                    .trusts_loopback = options.trusts_loopback,
                                    .keeps_digest = options.digest,
                                    .base = options.base,
                                    .log_outs = options.log_outs,
                                    .proxies = options.proxies,
                                    .digest_prefix = "/engine"});
}

}  // namespace caddis::cli
