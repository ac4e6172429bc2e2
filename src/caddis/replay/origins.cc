#include "caddis/replay/origins.h"

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/http/host_check.h"
#include "caddis/io/digest.h"
#include "caddis/replay/base_path.h"

namespace caddis::replay {
namespace {

constexpr std::string_view kLocalhost = "localhost";
constexpr std::string_view kLocalPattern = "{collection}.localhost";
constexpr std::string_view kVariable = "{collection}";
constexpr size_t kLongestLabel = 63;

// ":8080" of "example.org:8080" and "[::1]:8080".
std::string port_of(std::string_view field) {
  const size_t colon = field.rfind(':');
  if (colon == std::string_view::npos || field.find(']', colon) != std::string_view::npos) return {};
  return std::string(field.substr(colon));
}

// Not "::1": no content security policy can name it.
bool is_local(std::string_view host) { return host == kLocalhost || host == "127.0.0.1"; }

std::string_view scheme_of(const http::ServerRequest& request) {
  // Said by a proxy in front that ends TLS. Whoever forges it misleads nobody but itself.
  const bool secure = request.tls || equals_ignore_case(request.header("x-forwarded-proto"), "https");
  return secure ? "https://" : "http://";
}

}  // namespace

std::string host_label(std::string_view collection) {
  std::string label = to_lower(collection);
  std::ranges::replace_if(label, [](char c) { return !is_alnum(c) && c != '-'; }, '-');
  if (!label.empty() && label == collection && label.size() <= kLongestLabel && !label.starts_with('-') &&
      !label.ends_with('-'))
    return label;
  label = label.substr(0, 40);
  const size_t begin = std::min(label.find_first_not_of('-'), label.size());
  label = "c-" + label.substr(begin);
  return label + '-' + to_hex(io::sha1(collection)).substr(0, 8);
}

Result<Origins> Origins::create(ServeNames names, const std::vector<std::string>& collections, std::string secret) {
  if (!names.captures.empty() && !names.captures.starts_with(std::string(kVariable) + '.'))
    return fail(ErrorCode::config, "'" + names.captures +
                                       "' does not name a host for each collection: begin it with {collection}., as in "
                                       "{collection}.replay.example.org");
  if (!names.captures.empty() && names.own.empty())
    return fail(ErrorCode::config, "captures have a public host, but the archive itself has none: give --public-name");
  for (const std::string& name : names.own)
    if (http::host_of(name).empty() || http::host_of(name) != to_lower(name))
      return fail(ErrorCode::config, "'" + name + "' is no host name: give it without scheme and port");
  TRY(names.base, parse_base_path(names.base));
  Origins origins(std::move(names), std::move(secret));
  for (const std::string& collection : collections) origins.labels_.push_back({collection, host_label(collection)});
  for (const Label& one : origins.labels_)
    for (const std::string& own : origins.names_.own)
      if (!origins.names_.captures.empty() && origins.host_name(origins.names_.captures, one.label) == to_lower(own))
        return fail(ErrorCode::config, "the captures of the collection '" + one.collection + "' would have the host " +
                                           own + ", which is the archive's own: choose another --captures-host");
  return origins;
}

std::string Origins::host_name(std::string_view pattern, std::string_view label) const {
  return to_lower(std::string(label) + std::string(pattern.substr(kVariable.size())));
}

Place Origins::place_of(const http::ServerRequest& request) const {
  const std::string_view field = request.header("host");
  const std::string host = http::host_of(field);
  const std::string scheme(scheme_of(request));
  Place place;
  place.port = port_of(field);
  place.base = names_.base;
  for (const Label& one : labels_) {
    if (names_.are_keyed) break;
    const bool is_local_name = host == host_name(kLocalPattern, one.label);
    const bool is_public_name = !names_.captures.empty() && host == host_name(names_.captures, one.label);
    if (!is_local_name && !is_public_name) continue;
    place.kind = Place::Kind::captures;
    place.collection = one.collection;
    place.own_origin = scheme + (is_local_name ? names_.local : names_.own.front()) + place.port;
    return place;
  }
  if (host.ends_with(".localhost") || !http::is_own_host(field, names_.own)) {
    place.kind = Place::Kind::foreign;
    return place;
  }
  place.own_origin = scheme + (field.empty() ? std::string(kLocalhost) : to_lower(field));
  return place;
}

std::string Origins::captures_host(const http::ServerRequest& request, std::string_view collection) const {
  const std::string_view field = request.header("host");
  const std::string host = http::host_of(field);
  const auto label = std::ranges::find(labels_, collection, &Label::collection);
  if (label == labels_.end() || names_.are_keyed) return {};
  if (is_local(host)) return host_name(kLocalPattern, label->label) + port_of(field);
  const bool is_public =
      std::ranges::any_of(names_.own, [&](const std::string& name) { return http::host_of(name) == host; });
  return is_public && !names_.captures.empty() ? host_name(names_.captures, label->label) + port_of(field)
                                               : std::string();
}

std::string captures_key(std::string_view secret, std::string_view subject) {
  return to_hex(io::sha256(std::string(secret) + '\0' + std::string(subject))).substr(0, 32);
}

std::string Origins::ancestors(const Place& place) const {
  const std::string scheme = place.own_origin.substr(0, place.own_origin.find("//") + 2);
  std::vector<std::string> hosts = names_.own;
  // The captures' host below localhost is reached from any of these.
  if (place.own_origin == scheme + names_.local + place.port) hosts = {std::string(kLocalhost), "127.0.0.1"};
  std::string list = "'self'";
  for (const std::string& host : hosts) list += ' ' + scheme + host + place.port;
  return list;
}

}  // namespace caddis::replay
