#include "caddis/fetch/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/base/version.h"
#include "caddis/base/visible.h"
#include "caddis/fetch/address_policy.h"
#include "caddis/http/fields.h"
#include "caddis/protocols/local_files.h"
#include "caddis/protocols/whois.h"
#include "caddis/robots/agent.h"
#include "caddis/url/address_block.h"
#include "caddis/url/percent.h"
#include "caddis/url/url.h"

namespace caddis::settings {
namespace {

Result<void> header_line(std::string_view line) {
  TRY([[maybe_unused]] const auto header, fetch::parse_header(line));
  return {};
}

Result<void> host_key_line(std::string_view line) {
  TRY([[maybe_unused]] const auto key, fetch::parse_host_key(line));
  return {};
}

// The rows of the way to a server.
std::vector<Field> connection_rows() {
  using S = fetch::FetchSettings;
  using aio::TlsTrust;
  using aio::TlsVersion;
  return {
      field<&S::trust, S>(
          "trust",
          "Which TLS to accept: every key and certificate, since it is recorded what they are (open); "
          "only certificates that are trusted (normal); or these with keys of today's strength, over TLS "
          "1.2 or later (strict).",
          {.flags = kSheet | kLive,
           .choices = {choice("open", TlsTrust::open), choice("normal", TlsTrust::normal),
                       choice("strict", TlsTrust::strict)},
           .heritrix = "fetchHttp.sslTrustLevel"}),
      field<&S::tls_lowest, S>("tls-lowest", "The lowest version of TLS to accept; with trust: strict at least 1.2.",
                               {.flags = kSheet | kLive,
                                .choices = {choice("1.0", TlsVersion::v1_0), choice("1.1", TlsVersion::v1_1),
                                            choice("1.2", TlsVersion::v1_2), choice("1.3", TlsVersion::v1_3)}}),
      field<&S::proxy, S>(
          "proxy",
          "Fetch through this proxy, \"http://[user:password@]host:port\" or "
          "\"socks5://[user:password@]host:port\", "
          "which looks up the names of hosts, too; empty: none.",
          {.flags = kHostSheet | kLive | kSecret, .option = "--proxy", .heritrix = "fetchHttp.httpProxyHost"}),
      field<&S::bind_address, S>(
          "bind-address", "The address of this machine to connect from, IPv4 or IPv6; empty: the system chooses.",
          {.flags = kSheet | kLive, .check = fetch::check_bind_address, .heritrix = "fetchHttp.httpBindAddress"}),
  };
}

// The rows of other protocols than HTTP.
std::vector<Field> protocol_rows() {
  using S = fetch::FetchSettings;
  return {
      field<&S::ftp_user, S>("ftp-user", "The user to log in as at FTP and SFTP servers, if the URL names none.",
                             {.flags = kSheet | kLive, .heritrix = "fetchFtp.username"}),
      field<&S::ftp_password, S>("ftp-password",
                                 "The password for it; of anonymous users it is a mail address by custom.",
                                 {.flags = kSheet | kLive | kSecret, .heritrix = "fetchFtp.password"}),
      field<&S::ftp_active, S>("ftp-active",
                               "Have FTP servers connect to the crawler for data (EPRT, PORT), in place of the crawler "
                               "to them (EPSV, PASV).",
                               {.flags = kSheet | kLive}),
      field<&S::ftp_listings, S>("ftp-listings", "Take the names in listings of folders (FTP, SFTP, file:) as links.",
                                 {.flags = kSheet | kLive, .heritrix = "fetchFtp.extractFromDirs"}),
      field<&S::ftp_parent, S>("ftp-parent", "Take the folder that holds a document of FTP, SFTP or file: as a link.",
                               {.flags = kSheet | kLive, .heritrix = "fetchFtp.extractParent"}),
      field<&S::sftp_key, S>(
          "sftp-key",
          "A file with the private key to log in by at SFTP servers, in place of ftp-password, which "
          "opens the file if it is locked; empty: none.",
          {.flags = kSheet | kLive}),
      field<&S::sftp_host_keys, S>("sftp-host-keys",
                                   "Keys that SFTP servers must show, \"host:port SHA256:…\" as ssh-keygen -l has "
                                   "them. Of others the key that is "
                                   "shown first counts.",
                                   {.flags = kSheet | kLive, .check = host_key_line}),
      field<&S::sftp_strict, S>("sftp-strict", "Refuse SFTP servers whose key is not among sftp-host-keys.",
                                {.flags = kSheet | kLive}),
      field<&S::whois_queries, S>(
          "whois-queries",
          "WHOIS servers that want words around what they are asked about: \"whois.denic.de -T dn %s\".",
          {.flags = kSheet | kLive,
           .check = protocols::check_whois_template,
           .heritrix = "fetchWhois.specialQueryTemplates"}),
      field<&S::files, S>("files",
                          "Folders of this machine whose files may be fetched by file: URLs, with all below them: "
                          "absolute paths. Links that lead out of them are refused. Empty: none may.",
                          {.flags = kSheet | kLive, .check = protocols::check_files_folder}),
  };
}

// The rows that say how servers are reached, by whatever protocol.
std::vector<Field> rows_of_servers() {
  std::vector<Field> rows = connection_rows();
  for (Field& row : protocol_rows()) rows.push_back(std::move(row));
  return rows;
}

// With the rows of `more` in front of the one of that name.
std::vector<Field> with_rows(std::vector<Field> rows, std::string_view name, const std::vector<Field>& more) {
  rows.insert(std::ranges::find(rows, name, &Field::name), more.begin(), more.end());
  return rows;
}

}  // namespace

template <>
const Schema& schema_of<fetch::FetchSettings>() {
  using S = fetch::FetchSettings;
  using fetch::HttpVersion;
  static const Schema schema(
      "fetch", "How pages are asked for.",
      with_rows(
          {
              field<&S::user_agent>(
                  "user-agent", "The User-Agent header; VERSION and CONTACT in it are replaced.",
                  {.flags = kHostSheet | kLive,
                   .check = header_value,
                   .option = "--user-agent",
                   .heritrix = "metadata.userAgentTemplate",
                   .constraints = {{.severity = Severity::info,
                                    .pattern = "(?s).*(CONTACT|://|@).*",
                                    .text = "does not tell site owners how to reach you (CONTACT stands "
                                            "for crawl.contact)",
                                    .of_others = true}}}),
              field<&S::from>("from", "A mail address for the From header; empty: none is sent.",
                              {.flags = kSheet | kLive,
                               .check = header_value,
                               .heritrix = "metadata.operatorFrom",
                               .constraints = {{.severity = Severity::severe,
                                                .pattern = R"((.* )?<?[^@\s<>]+@[^@\s<>]+>?)",
                                                .text = "is no mail address, such as crawler@example.org"}}}),
              field<&S::accept>("accept", "The Accept header; empty: none is sent.",
                                {.flags = kSheet | kLive, .check = header_value}),
              field<&S::accept_encoding>(
                  "accept-encoding", "The Accept-Encoding header; gzip, deflate, br and zstd can be read; empty: none.",
                  {.flags = kSheet | kLive, .check = header_value, .heritrix = "fetchHttp.acceptCompression"}),
              field<&S::headers>(
                  "headers",
                  "Further headers for every request, each as \"Name: value\". They are kept as a secret; those that "
                  "let somebody in (Authorization, Cookie, and names with auth, token, key, secret, session, password "
                  "or credential) stand in no record either. A sheet adds to them: its headers take the place of those "
                  "with the same name, \"Name:\" takes one away, and [] all of them.",
                  {.flags = kSheet | kLive | kSecret | kKeyed,
                   .check = header_line,
                   .option = "--header",
                   .heritrix = "fetchHttp.acceptHeaders"}),
              field<&S::referer>("referer",
                                 "Tell a server which page its link was found on (never an https page to http).",
                                 {.flags = kSheet | kLive, .heritrix = "fetchHttp.sendReferer"}),
              field<&S::http_version>("http-version",
                                      "The version of HTTP to speak. What is stored of 1.1 and 1.0 is what was "
                                      "received, byte for byte; 2 is spoken with servers of https that take it (others "
                                      "get 1.1), and stored as its rendition in HTTP/1.1.",
                                      {.flags = kSheet | kLive,
                                       .choices = {choice("1.1", HttpVersion::http11),
                                                   choice("1.0", HttpVersion::http10), choice("2", HttpVersion::http2)},
                                       .heritrix = "fetchHttp.useHTTP11"}),
              field<&S::keep_alive>("keep-alive", "Keep connections open for the next request to the same site.",
                                    {.flags = kSheet | kLive, .heritrix = "fetchHttp.sendConnectionClose"}),
              field<&S::connect_timeout>("connect-timeout",
                                         "Give up when no connection (and TLS) is made in this time.",
                                         {.flags = kSheet | kLive, .min = "100ms", .max = "10m"}),
              field<&S::silence_timeout>(
                  "silence-timeout", "Give up when a server sends no byte for this long.",
                  {.flags = kSheet | kLive, .min = "100ms", .max = "1h", .heritrix = "fetchHttp.soTimeoutMs"}),
              field<&S::total_timeout>(
                  "total-timeout", "Cut a fetch that takes longer than this in all.",
                  {.flags = kSheet | kLive, .min = "1s", .max = "7d", .heritrix = "fetchHttp.timeoutSeconds"}),
              field<&S::max_length>(
                  "max-length", "Cut bodies longer than this; 0: never.",
                  {.flags = kSheet | kLive, .unit = kBytes, .min = "0", .heritrix = "fetchHttp.maxLengthBytes"}),
              field<&S::range>(
                  "range", "Ask servers for no more than max-length (the header Range), so that they need not be cut.",
                  {.flags = kSheet | kLive, .heritrix = "fetchHttp.sendRange"}),
              field<&S::bandwidth>("bandwidth", "Bytes a second that one fetch may take; 0: no limit.",
                                   {.flags = kSheet | kLive, .unit = kBytes, .min = "0"}),
              field<&S::max_head>("max-head", "Cut heads of responses longer than this.",
                                  {.flags = kSheet | kLive | kExpert, .unit = kBytes, .min = "4096", .max = "16MB"}),
              field<&S::memory_per_fetch>(
                  "memory-per-fetch", "Hold this much of a response in memory, the rest on disk.",
                  {.flags = kSheet | kLive | kExpert, .unit = kBytes, .min = "4096", .max = "1GB"}),
              field<&S::allow_addresses>(
                  "allow-addresses",
                  "Addresses that may be connected to although they are private, loopback, link-local or reserved: "
                  "blocks (10.0.0.0/8, fc00::/7), or all. The range of a seed's own address is allowed without it.",
                  {.flags = kHostSheet | kLive, .check = fetch::check_allowed, .option = "--allow-addresses"}),
              field<&S::again>("again",
                               "URLs that are fetched and stored again later, because of the status they were captured "
                               "with: \"5xx after 1h, 2 times\", \"404 after 1d\". The first rule that fits counts.",
                               {.flags = kHostSheet | kLive}),
          },
          "allow-addresses", rows_of_servers()));
  return schema;
}

}  // namespace caddis::settings

namespace caddis::fetch {
namespace {

void replace(std::string& text, std::string_view what, std::string_view with) {
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size()) {
    text.replace(at, what.size(), with);
  }
}

constexpr std::array<std::string_view, 7> kOwnHeaders = {"Host", "Content-Length", "Transfer-Encoding",  "Connection",
                                                         "TE",   "Upgrade",        "Proxy-Authorization"};

bool is_own_header(std::string_view name) {
  return std::ranges::any_of(kOwnHeaders, [name](std::string_view own) { return equals_ignore_case(name, own); });
}

}  // namespace

std::string user_agent(const FetchSettings& settings, std::string_view contact) {
  std::string agent = settings.user_agent;
  if (contact.empty()) replace(agent, " +CONTACT", "");
  replace(agent, "VERSION", kVersion);
  replace(agent, "CONTACT", contact);
  return agent;
}

std::string header_as_sent(const FetchSettings& settings, std::string_view name, std::string_view otherwise) {
  std::string value(otherwise);
  for (const std::string& line : settings.headers)
    if (auto header = parse_header(line); header && equals_ignore_case(header->name, name))
      value = std::move(header->value);
  return value;
}

std::string product_token(const FetchSettings& settings) {
  const std::string agent = user_agent(settings, "");
  const std::string_view token = robots::product_token(agent);
  return token.empty() ? "caddis" : std::string(token);
}

http::Limits limits(const FetchSettings& settings) {
  return {.connect = settings.connect_timeout,
          .silence = settings.silence_timeout,
          .total = settings.total_timeout,
          .max_body = static_cast<uint64_t>(settings.max_length),
          .bandwidth = static_cast<uint64_t>(settings.bandwidth),
          .max_head = static_cast<size_t>(settings.max_head),
          .memory = static_cast<size_t>(settings.memory_per_fetch)};
}

Result<http::Header> parse_header(std::string_view line) {
  const size_t colon = line.find(':');
  const std::string_view name = line.substr(0, colon);
  // What it holds may be a secret.
  if (colon == std::string_view::npos || !http::is_token(name) || !settings::header_value(line.substr(colon + 1)))
    return fail(ErrorCode::config, "one of them is no header; write it as \"Name: value\", on one line");
  if (is_own_header(name))
    return fail(ErrorCode::denied,
                fmt::format("the header {} is not taken: {} follow from the request, the connection or "
                            "another setting",
                            name, fmt::join(kOwnHeaders, ", ")));
  return http::Header{std::string(name), std::string(trim(line.substr(colon + 1)))};
}

bool is_credential(std::string_view header) {
  const std::string name = to_lower(header);
  for (const std::string_view part : {"auth", "cookie", "token", "key", "secret", "session", "passw", "credential"})
    if (name.contains(part)) return true;
  return false;
}

Result<std::optional<ProxyHost>> proxy_host(const std::string& setting) {
  if (setting.empty()) return std::optional<ProxyHost>();
  // The proxy's password does not belong into a message.
  const auto parsed = url::Url::parse(setting);
  const bool is_socks = parsed && parsed->scheme() == "socks5";
  if (!parsed || (parsed->scheme() != "http" && !is_socks) || parsed->hostname().empty())
    return fail(ErrorCode::config,
                "fetch.proxy is no URL of a proxy; write it as \"http://host:port\" or \"socks5://host:port\"");
  constexpr uint16_t kSocksPort = 1080;
  const uint16_t port = parsed->effective_port();
  ProxyHost proxy{std::string(parsed->hostname()), is_socks && port == 0 ? kSocksPort : port, {}};
  if (proxy.host.starts_with('[')) proxy.host = proxy.host.substr(1, proxy.host.size() - 2);
  if (is_socks) proxy.proxy.kind = http::Proxy::Kind::socks5;
  if (!parsed->has_userinfo()) return proxy;
  const std::string user = url::percent_decode(parsed->username()), password = url::percent_decode(parsed->password());
  if (!is_socks) {
    proxy.proxy.authorization = http::basic_credentials(user, password);
    proxy.user = user;
    proxy.password = password;
    return proxy;
  }
  constexpr size_t kSocksLongest = 255;  // RFC 1929
  if (user.size() > kSocksLongest || password.size() > kSocksLongest)
    return fail(ErrorCode::config, "fetch.proxy: SOCKS takes a user and a password of 255 bytes at most");
  proxy.proxy.user = user;
  proxy.proxy.password = password;
  return proxy;
}

Result<KnownHostKey> parse_host_key(std::string_view text) {
  constexpr size_t kKey = 7 + 43;  // "SHA256:", and 32 bytes in base64
  const size_t blank = text.find(' ');
  const std::string_view key = blank == text.npos ? std::string_view() : trim(text.substr(blank));
  if (blank == 0 || !key.starts_with("SHA256:") || key.size() != kKey)
    return fail(ErrorCode::config, fmt::format("'{}' is no key of a server; write \"host:port SHA256:…\"", text));
  std::string server(text.substr(0, blank));
  if (server.find(':', server.find(']') + 1) == std::string::npos) server += ":22";
  return KnownHostKey{std::move(server), std::string(key)};
}

Result<void> check_bind_address(std::string_view text) {
  if (text.empty() || url::parse_address(text)) return {};
  return fail(ErrorCode::config,
              fmt::format("'{}' is no address; write an IPv4 or IPv6 address of this machine", text));
}

Result<void> validate(const FetchSettings& settings) {
  TRY([[maybe_unused]] const auto proxy, proxy_host(settings.proxy));
  return {};
}

}  // namespace caddis::fetch
