// How pages are asked for: the `fetch` section of crawl.yaml.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "caddis/aio/network.h"
#include "caddis/http/exchange.h"
#include "caddis/http/proxy.h"
#include "caddis/http/request.h"
#include "caddis/settings/schema.h"

namespace caddis::fetch {

enum class HttpVersion { http10, http11, http2 };

// The way to a server.
struct ConnectionSettings {
  aio::TlsTrust trust = aio::TlsTrust::open;
  aio::TlsVersion tls_lowest = aio::TlsVersion::v1_0;
  std::string proxy;
  std::string bind_address;
};

// Settings of other protocols than HTTP.
struct ProtocolSettings {
  std::string ftp_user = "anonymous";
  std::string ftp_password = "anonymous@";
  bool ftp_active = false;
  bool ftp_listings = true;
  bool ftp_parent = true;
  std::string sftp_key;
  std::vector<std::string> sftp_host_keys;
  bool sftp_strict = false;
  std::vector<std::string> whois_queries = {"whois.verisign-grs.com domain %s", "whois.arin.net z + %s",
                                            "whois.denic.de -T dn %s"};
  std::vector<std::string> files;
};

struct FetchSettings : ConnectionSettings, ProtocolSettings {
  std::string user_agent = "Mozilla/5.0 (compatible; caddis/VERSION +CONTACT)";
  std::string from;
  std::string accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
  std::string accept_encoding = "gzip";
  std::vector<std::string> headers;
  bool referer = true;
  HttpVersion http_version = HttpVersion::http11;
  bool keep_alive = true;
  Duration connect_timeout = std::chrono::seconds(20);
  Duration silence_timeout = std::chrono::seconds(20);
  Duration total_timeout = std::chrono::minutes(20);
  int64_t max_length = 0;
  bool range = false;
  int64_t bandwidth = 0;
  int64_t max_head = 64 * 1024;
  int64_t memory_per_fetch = 512 * 1024;
  std::vector<std::string> allow_addresses;
  std::vector<std::string> again;
};

// The User-Agent to send: VERSION and CONTACT of the template replaced; "(...; )" left by an empty contact is tidied.
std::string user_agent(const FetchSettings& settings, std::string_view contact);
// The header of that name as it is sent: that of `settings.headers`, which replaces any other, or else `otherwise`.
std::string header_as_sent(const FetchSettings& settings, std::string_view name, std::string_view otherwise);
// The name to look for in robots.txt: "caddis", or the product of a template of one's own ("mybot/2.0 (...)": "mybot").
std::string product_token(const FetchSettings& settings);

http::Limits limits(const FetchSettings& settings);

// "Name: value" as a header; ErrorCode::config where it is none, or one that Caddis sets itself (Host, Content-Length
// …).
Result<http::Header> parse_header(std::string_view line);

// Whether a header of that name may let somebody in: Authorization, Cookie, X-Api-Key, X-Session-Token … It is sent,
// but not recorded.
bool is_credential(std::string_view header);

// The proxy that `fetch.proxy` names, or nothing. Its host is to be resolved (proxies.h).
struct ProxyHost {
  std::string host;  // without brackets
  uint16_t port = 0;
  http::Proxy proxy;                     // all of it but the address and the login
  std::string user = {}, password = {};  // HTTP: empty for none
};
Result<std::optional<ProxyHost>> proxy_host(const std::string& setting);

// Whether it can stand as `fetch.bind-address` (ErrorCode::config).
Result<void> check_bind_address(std::string_view text);

// A server and its key, an entry of fetch.sftp-host-keys: "host SHA256:…" or "host:port SHA256:…".
struct KnownHostKey {
  std::string server;  // "host:port"
  std::string key;
};
// ErrorCode::config if the text is none.
Result<KnownHostKey> parse_host_key(std::string_view text);

// What no single row can check: headers, proxy, user agent.
Result<void> validate(const FetchSettings& settings);

}  // namespace caddis::fetch

namespace caddis::settings {
template <>
const Schema& schema_of<fetch::FetchSettings>();
}
