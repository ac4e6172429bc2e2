#include "caddis/fetch/resource_fetcher.h"

#include <fmt/format.h>

#include <utility>

#include "caddis/base/strings.h"
#include "caddis/fetch/address_check.h"
#include "caddis/fetch/http_fetcher.h"
#include "caddis/protocols/ftp_client.h"
#include "caddis/protocols/whois.h"
#include "caddis/url/crawl_schemes.h"
#include "caddis/url/percent.h"

namespace caddis::fetch {
namespace {

// It has neither server nor port.
bool is_file(const url::Url& url) { return url.scheme() == "file"; }

uint16_t port_of(const url::Url& url) {
  const uint16_t port = url.effective_port();
  constexpr uint16_t kSshPort = 22;
  if (port != 0) return port;
  return url.scheme() == "whois" ? protocols::kWhoisPort : url.scheme() == "sftp" ? kSshPort : 0;
}

// The server's name, as a proxy is told.
std::string name_of(const url::Url& url) {
  std::string_view name = url.hostname();
  if (name.starts_with('[')) name = name.substr(1, name.size() - 2);
  return std::string(name);
}

// The path as the server is to see it, without a type (RFC 1738, section 3.2.2: ";type=i").
std::string path_of(const url::Url& url) {
  std::string_view path = url.pathname();
  if (url.scheme() == "whois") {
    path.remove_prefix(path.starts_with('/') ? 1 : 0);
    return url::percent_decode(path) + url::percent_decode(url.search());
  }
  if (is_file(url)) return std::string(path);
  if (const size_t type = path.rfind(";type="); type != path.npos && type + 7 == path.size())
    path = path.substr(0, type);
  return path.empty() ? "/" : url::percent_decode(path);
}

// Users whom everybody may log in as: their passwords are none.
bool is_anonymous(std::string_view user) {
  return equals_ignore_case(user, "anonymous") || equals_ignore_case(user, "ftp");
}

void log_in(const url::Url& url, const FetchSettings& settings, protocols::Transfer& made) {
  made.user = url.has_userinfo() ? url::percent_decode(url.username()) : settings.ftp_user;
  made.password = url.has_userinfo() ? url::percent_decode(url.password()) : settings.ftp_password;
  made.is_secret = !is_anonymous(made.user);
}

protocols::SftpLogin login_of(const url::Url& url, const FetchSettings& settings) {
  protocols::SftpLogin login;
  login.key_file = settings.sftp_key;
  login.server = fmt::format("{}:{}", url.hostname(), port_of(url));
  for (const std::string& each : settings.sftp_host_keys)
    if (const auto known = parse_host_key(each); known && known->server == login.server) login.host_key = known->key;
  return login;
}

std::unexpected<protocols::TransferFailure> unknown_key(const std::string& server) {
  return protocols::failed(http::Failure::At::tls,
                           Error{ErrorCode::denied, "no key of " + server + " stands in fetch.sftp-host-keys"});
}

void take_failure(protocols::TransferFailure failure, FetchOutcome& outcome) {
  http::Failure as_http;
  as_http.at = failure.at;
  as_http.error = failure.error;
  outcome.status = failure.status != 0 ? failure.status : status_of(as_http);
  outcome.no_room = failure.at == http::Failure::At::local && failure.error.code == ErrorCode::limit;
  outcome.is_timeout = failure.error.code == ErrorCode::timeout;
  outcome.is_transient = failure.is_transient;
  outcome.refused_address = std::move(failure.refused_address);
  outcome.error = std::move(failure.error.message);
}

}  // namespace

ResourceFetcher::ResourceFetcher(aio::Loop& loop, aio::Network& network, io::SpoolFolder& spools,
                                 protocols::HostKeys& keys, const AddressPolicy* addresses)
    : spools_(spools), keys_(keys), addresses_(addresses), wires_(loop, network), files_(wires_, spools) {}

bool ResourceFetcher::knows(const url::Url& url) { return url::can_be_crawled(url) && !url.is_http(); }

bool ResourceFetcher::is_refused(const FetchRequest& request, const aio::Endpoint& server,
                                 const FetchSettings& settings, FetchOutcome& outcome) const {
  const auto refuse = [&outcome](FetchStatus status, std::string why) {
    outcome.status = status;
    outcome.error = std::move(why);
    return true;
  };
  const bool is_direct = request.proxy == nullptr;
  if (is_file(request.url) && knows(request.url)) return false;
  if (!knows(request.url) || server.port == 0)
    return refuse(status::kUnfetchable,
                  fmt::format("nobody here can fetch URLs of the scheme {}", request.url.scheme()));
  if (!is_direct && settings.ftp_active && request.url.scheme() == "ftp")
    return refuse(status::kUnfetchable,
                  "no server connects to us through a proxy: set fetch.ftp-active: false for the host");
  if (is_direct && server.address.empty()) return refuse(status::kDomainPrerequisiteFailed, "no address for the host");
  return addresses_ != nullptr && fetch::is_refused(*addresses_, request, server, outcome);
}

aio::Task<protocols::TransferResult> ResourceFetcher::transfer(const url::Url& url, protocols::Transfer what,
                                                               const FetchSettings& settings) {
  if (is_file(url)) {
    std::vector<std::string> folders = settings.files;
    co_return co_await files_.fetch(std::move(what), std::move(folders));
  }
  if (url.scheme() == "sftp") {
    protocols::SftpLogin login = login_of(url, settings);
    if (settings.sftp_strict && login.host_key.empty()) co_return unknown_key(login.server);
    protocols::SftpClient client(wires_, spools_, keys_);
    co_return co_await client.fetch(std::move(what), std::move(login));
  }
  if (url.scheme() == "whois") {
    protocols::WhoisClient client(wires_, spools_);
    co_return co_await client.fetch(std::move(what));
  }
  protocols::FtpClient client(wires_, spools_);
  co_return co_await client.fetch(std::move(what), settings.ftp_active);
}

aio::Task<FetchOutcome> ResourceFetcher::fetch(FetchRequest request, const FetchSettings& settings) {
  FetchOutcome outcome;
  outcome.started = wires_.loop().clock().wall();
  const url::Url& url = request.url;
  const aio::Endpoint server{std::move(request.address), port_of(url)};
  if (is_refused(request, server, settings, outcome)) co_return outcome;
  const SteadyTime begun = wires_.loop().clock().steady();
  protocols::Transfer made;
  made.server = server;
  made.name = name_of(url);
  made.proxy = request.proxy;
  made.path = path_of(url);
  if (!is_file(url)) log_in(url, settings, made);
  made.local_address = settings.bind_address;
  made.limits = limits(settings);
  made.limits.digest = request.digest;
  made.limits.wants_body = std::move(request.wants_body);
  made.ticket = request.ticket;
  made.refusal = [this, allowed = request.allowed](const aio::Endpoint& to) -> std::optional<std::string> {
    static const std::vector<std::string> none;
    if (addresses_ == nullptr) return std::nullopt;
    return addresses_->refusal(to, allowed != nullptr ? *allowed : none);
  };
  if (made.is_secret && url.scheme() != "whois") outcome.withheld = "PASS";
  protocols::TransferResult result = co_await transfer(url, std::move(made), settings);
  outcome.took = wires_.loop().clock().steady() - begun;
  if (!result) {
    take_failure(std::move(result).error(), outcome);
    co_return outcome;
  }
  outcome.status = result->resource->status;
  outcome.error = result->problem;
  outcome.started = result->timings.started;
  outcome.took = result->timings.finished;
  outcome.exchange.emplace(*std::move(result));
  co_return outcome;
}

}  // namespace caddis::fetch
