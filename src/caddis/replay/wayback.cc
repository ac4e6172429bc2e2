#include "caddis/replay/wayback.h"

#include <algorithm>
#include <iterator>

#include "caddis/base/log.h"
#include "caddis/base/strings.h"
#include "caddis/cdx/query.h"
#include "caddis/http/host_check.h"
#include "caddis/replay/archive_api.h"
#include "caddis/replay/assets.h"
#include "caddis/replay/headers.h"
#include "caddis/replay/link_rewriter.h"
#include "caddis/replay/request_context.h"
#include "caddis/replay/views.h"

namespace caddis::replay {
namespace {

std::string_view type_of_asset(std::string_view name) {
  if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  if (name.ends_with(".svg")) return "image/svg+xml";
  return "text/html; charset=utf-8";
}

CollectionSummary summary_of(Collection& collection, const PageList& pages) {
  CollectionSummary summary{collection.name(), 0, true, pages.count, pages.exact, {}};
  if (const auto size = collection.index().size()) {
    summary.captures = size->captures;
    summary.exact = size->exact;
  }
  summary.problems = collection.problems();
  return summary;
}

Modifier modifier_for(std::string_view destination, Modifier page) {
  if (destination == "script" || destination.ends_with("worker")) return Modifier::script;
  if (destination == "style") return Modifier::style;
  if (destination == "image") return Modifier::image;
  if (destination == "iframe" || destination == "frame") return Modifier::frame;
  if (destination == "document") return page;
  return Modifier::other;
}

constexpr std::string_view kMethods[] = {"GET", "HEAD", "POST", "OPTIONS"};
constexpr std::string_view kClientScript = "/-/client.js";

// With its query, without scheme and host.
std::string target_of(const http::ServerRequest& request) {
  if (request.target.starts_with('/')) return request.target;
  return request.path + (request.query.empty() ? "" : '?' + request.query);
}

// What stands in the place of an address without being one.
bool is_api(std::string_view rest) {
  return rest == "cdx" || rest.starts_with("cdx?") || rest.starts_with("cdx/search/cdx") ||
         rest.starts_with("timemap/") || rest.starts_with("timegate/");
}

// "/<collection>?url=…", as OutbackCDX is asked.
bool asks_index(const http::ServerRequest& request) {
  return std::ranges::any_of(cdx::parse_form(request.query),
                             [](const auto& part) { return part.first == "url" || part.first == "urlkey"; });
}

// The address of a capture behind `prefix`; nothing for what else may stand there.
std::optional<Address> replay_address(std::string_view target, std::string_view prefix) {
  if (!target.starts_with(prefix) || is_api(target.substr(prefix.size()))) return std::nullopt;
  auto address = parse_address(target.substr(prefix.size()));
  return address && address->kind == Address::Kind::replay ? address : std::nullopt;
}

// Captured pages whose origin is nobody's have to be allowed what they load from their own site (Fetch Standard, CORS
// protocol).
void allow_reading(const http::ServerRequest& request, http::ServerResponse& response) {
  if (request.header("origin") != "null") return;
  set_header(response.headers, "Access-Control-Allow-Origin", "null");
  set_header(response.headers, "Access-Control-Allow-Credentials", "true");
  const auto allow = [&](std::string_view asked, std::string_view name) {
    if (const std::string_view value = request.header(asked); !value.empty())
      set_header(response.headers, name, std::string(value));
  };
  allow("access-control-request-method", "Access-Control-Allow-Methods");
  allow("access-control-request-headers", "Access-Control-Allow-Headers");
}

}  // namespace

Wayback::Wayback(io::Files& files, std::vector<std::unique_ptr<Collection>> collections, Origins origins,
                 AskCrawl ask_crawl)
    : files_(files),
      collections_(std::move(collections)),
      origins_(std::move(origins)),
      ask_crawl_(std::move(ask_crawl)) {}

Collection* Wayback::find(std::string_view name) const {
  for (const auto& collection : collections_)
    if (collection->name() == name) return collection.get();
  return nullptr;
}

http::ServerResponse Wayback::handle(const http::ServerRequest& request) {
  const Place place = origins_.place_of(request);
  http::ServerResponse response = answer(place, request);
  // A captured page that frames a response without a policy reaches into a document that may go anywhere.
  if (place.kind == Place::Kind::captures && find_header(response.headers, "connection-allowlist").empty())
    add_confinement(response.headers, Confinement());
  log_info("replay", "{} {}: {}", request.method, header_url(request.target), response.status);
  return response;
}

http::ServerResponse Wayback::answer(const Place& place, const http::ServerRequest& request) const {
  if (std::ranges::find(kMethods, request.method) == std::end(kMethods)) {
    http::ServerResponse refused = http::text_response(405, "an archive is read with GET, HEAD and POST");
    refused.headers.emplace_back("Allow", "GET, HEAD, POST, OPTIONS");
    return refused;
  }
  // A service worker of an archived page would answer for the archive itself from then on.
  if (request.header("service-worker") == "script") return http::text_response(403, "service workers are not replayed");
  const std::string target = target_of(request);
  switch (place.kind) {
    case Place::Kind::own:
      return answer_own_place(place, target, request);
    case Place::Kind::captures:
      return answer_captures_place(place, target, request);
    case Place::Kind::foreign:
      break;
  }
  return http::text_response(421, http::other_host_message(request.header("host")) +
                                      "; 'caddis serve --public-name' makes it one of its names");
}

http::ServerResponse Wayback::answer_own_place(const Place& place, std::string_view target,
                                               const http::ServerRequest& request) const {
  if (request.path == "/") return answer_start();
  const std::string_view rest = target.substr(1);
  const size_t slash = rest.find('/');
  const std::string_view name = rest.substr(0, slash);
  if (name == "-" && slash != std::string_view::npos) return answer_asset(rest.substr(slash + 1), request);
  if (name.starts_with('~')) return answer_keyed(place, rest, request);
  if (Collection* const collection = find(name)) {
    if (slash == std::string_view::npos) return redirect_to(302, '/' + std::string(name) + '/');
    return answer_in(place, *collection, rest.substr(slash + 1), request);
  }
  if (Collection* const collection = find(rest.substr(0, rest.find('?'))); collection != nullptr && asks_index(request))
    return answer_in(place, *collection, rest.substr(collection->name().size()), request);
  if (auto response = answer_archive_api(files_, collections_, request, place.own_origin)) return *std::move(response);
  if (name == "web" && slash != std::string_view::npos)
    if (Collection* const collection = collection_for(collections_, rest.substr(slash + 1)))
      return answer_in(place, *collection, rest.substr(slash + 1), request);
  if (auto address = address_of_stray(target, request)) return redirect_to(307, *std::move(address));
  return own_page(404,
                  message_page("Not found", "There is no such collection, and the address is not one of the archive."));
}

// Only replay of the one collection, and the script that it needs: whatever a captured page could read as its own.
http::ServerResponse Wayback::answer_captures_place(const Place& place, std::string_view target,
                                                    const http::ServerRequest& request) const {
  if (destination_of(request) == Destination::window) return redirect_to(302, place.own_origin + std::string(target));
  if (request.path == kClientScript) return answer_asset(request.path.substr(3), request);
  const RequestContext context = captures_context(place, *find(place.collection), request);
  if (const auto address = replay_address(target, context.prefix)) return answer_replay(context, *address);
  if (!target.starts_with(context.prefix))
    if (auto address = address_of_stray(target, request)) return redirect_to(307, *std::move(address));
  return http::text_response(404, "this host answers with captures of one collection alone");
}

// "~<key>/<collection>/…": the same, for clients for which captures have no host.
http::ServerResponse Wayback::answer_keyed(const Place& place, std::string_view rest,
                                           const http::ServerRequest& request) const {
  const auto refuse = [] {
    http::ServerResponse response = http::text_response(404, "no captures have this address, or not any more");
    add_confinement(response.headers, Confinement());
    return response;
  };
  const std::string_view key = rest.substr(1, rest.find('/') - 1);
  const std::string_view own = rest.substr(std::min(rest.find('/'), rest.size()));
  Collection* const collection = own.empty() ? nullptr : find(own.substr(1, own.find('/', 1) - 1));
  if (collection == nullptr || origins_.key_of(collection->name()) != key) return refuse();
  if (destination_of(request) == Destination::window) return redirect_to(302, std::string(own));
  const RequestContext context = keyed_context(place, *collection, request);
  const auto address = replay_address('/' + std::string(rest), context.prefix);
  if (!address) return refuse();
  http::ServerResponse response =
      request.method == "OPTIONS" ? http::ServerResponse(204) : answer_replay(context, *address);
  if (find_header(response.headers, "connection-allowlist").empty())
    add_confinement(response.headers, context.confinement.without_scripts());
  allow_reading(request, response);
  return response;
}

http::ServerResponse Wayback::answer_start() const {
  std::vector<CollectionSummary> summaries;
  for (const auto& collection : collections_) summaries.push_back(summary_of(*collection, *collection->pages()));
  return own_page(200, start_page(summaries));
}

http::ServerResponse Wayback::answer_asset(std::string_view rest, const http::ServerRequest& request) const {
  const std::string_view name = rest.substr(0, rest.find('?'));
  if (name == "go") return answer_go(request);
  const std::string_view bytes = find_asset(name);
  if (bytes.empty()) return own_page(404, message_page("Not found", "There is no such file."));
  http::ServerResponse response(200);
  response.headers = {{"Content-Type", std::string(type_of_asset(name))},
                      {"Cache-Control", "max-age=300"},
                      {"X-Content-Type-Options", "nosniff"}};
  response.body = bytes;
  return response;
}

http::ServerResponse Wayback::answer_go(const http::ServerRequest& request) const {
  std::string collection, url;
  for (auto& [name, value] : cdx::parse_form(request.query)) {
    if (name == "collection") collection = value;
    if (name == "url") url = std::string(trim(value));
  }
  if (collection.empty() && !collections_.empty()) collection = collections_.front()->name();
  if (find(collection) == nullptr || url.empty()) return redirect_to(302, "/");
  return redirect_to(302, '/' + collection + "/*/" + header_url(repair_url(url)));
}

http::ServerResponse Wayback::answer_collection(Collection& collection) const {
  const auto pages = collection.pages();
  return own_page(200, collection_page(summary_of(collection, *pages), *pages));
}

http::ServerResponse Wayback::answer_ipv6_window(const Place& place, const http::ServerRequest& request) const {
  const std::string scheme = place.own_origin.substr(0, place.own_origin.find("//") + 2);
  if (http::host_of(request.header("host")) == "::1")
    return redirect_to(302, scheme + "localhost" + place.port + target_of(request));
  return own_page(421, message_page("Not under this address",
                                    "Browsers cannot hold captured pages under an IPv6 address. Open the archive under "
                                    "an IPv4 address, or under a name ('caddis serve --public-name')."));
}

// For a request to the own pages.
RequestContext Wayback::own_context(const Place& place, Collection& collection,
                                    const http::ServerRequest& request) const {
  const std::string own_prefix = '/' + collection.name() + '/';
  const std::string host = origins_.captures_host(request, collection.name());
  const std::string captures =
      host.empty() ? "/~" + origins_.key_of(collection.name()) + own_prefix : "//" + host + own_prefix;
  const MementoBase memento{place.own_origin + own_prefix, collection.name()};
  const std::string sources = place.own_origin + own_prefix + ' ' + place.own_origin + std::string(kClientScript);
  return {files_,     ask_crawl_, collection,
          request,    memento,    place,
          own_prefix, captures,   {Confinement::Scripts::without_origin, sources, ""}};
}

// For a request to the captures' host.
RequestContext Wayback::captures_context(const Place& place, Collection& collection,
                                         const http::ServerRequest& request) const {
  RequestContext context = own_context(place, collection, request);
  context.confinement = {Confinement::Scripts::with_origin, "'self'", origins_.ancestors(place)};
  return context;
}

// For a request with the collection's key. A policy with paths, since the own pages have the same host.
RequestContext Wayback::keyed_context(const Place& place, Collection& collection,
                                      const http::ServerRequest& request) const {
  RequestContext context = own_context(place, collection, request);
  context.prefix = "/~" + origins_.key_of(collection.name()) + context.own_prefix();
  context.confinement.sources = place.own_origin + context.prefix + ' ' + place.own_origin + std::string(kClientScript);
  return context;
}

http::ServerResponse Wayback::answer_in(const Place& place, Collection& collection, std::string_view rest,
                                        const http::ServerRequest& request) const {
  const RequestContext context = own_context(place, collection, request);
  if (rest.empty() || rest.front() == '?')
    return asks_index(request) ? answer_cdx(context, cdx::Dialect::outback) : answer_collection(collection);
  if (rest == "cdx" || rest.starts_with("cdx?")) return answer_cdx(context, cdx::Dialect::pywb);
  if (rest == "cdx/search/cdx" || rest.starts_with("cdx/search/cdx?"))
    return answer_cdx(context, cdx::Dialect::internet_archive);
  if (rest.starts_with("timemap/")) return answer_timemap(context, rest.substr(8));
  if (rest.starts_with("timegate/")) return answer_timegate(context, repair_url(rest.substr(9)), Modifier::page);
  const auto address = parse_address(rest);
  if (!address) return own_page(404, message_page("Not found", "There is no URL in this address."));
  switch (address->kind) {
    case Address::Kind::captures:
      return answer_captures(context, *address);
    case Address::Kind::urls:
      return answer_urls(context, *address);
    case Address::Kind::replay:
      break;
  }
  // No policy can name an IPv6 address, so a frame under one would stay empty.
  if (request.header("host").starts_with('[') && is_for_a_window(request, address->modifier))
    return answer_ipv6_window(place, request);
  // In a frame, captured scripts run under the captures' host or key alone.
  const Destination destination = destination_of(request);
  if (destination == Destination::frame || destination == Destination::plugin)
    return redirect_to(307, context.captures + std::string(rest));
  return answer_replay(context, *address);
}

http::ServerResponse Wayback::answer_replay(const RequestContext& context, const Address& address) const {
  if (address.timestamp.empty() && is_page(address.modifier))
    return answer_timegate(context, address.url, address.modifier);
  return replay(context, address);
}

// "/style.css" asked for by a page at "/coll/2026…/http://host/page" is "http://host/style.css" in the archive.
std::optional<std::string> Wayback::address_of_stray(std::string_view target,
                                                     const http::ServerRequest& request) const {
  const auto referer = url::Url::parse(request.header("referer"));
  if (!referer || referer->host() != to_lower(request.header("host"))) return std::nullopt;
  const std::string path = std::string(referer->pathname()) + std::string(referer->search());
  const std::string_view rest = std::string_view(path).substr(1);
  const size_t slash = rest.find('/');
  const Collection* const collection = find(rest.substr(0, slash));
  if (collection == nullptr || slash == std::string_view::npos) return std::nullopt;
  const auto from = parse_address(rest.substr(slash + 1));
  if (!from || from->kind != Address::Kind::replay) return std::nullopt;
  const auto page = url::Url::parse(from->url);
  if (!page) return std::nullopt;
  const Modifier modifier = modifier_for(named_destination(request), from->modifier);
  const LinkRewriter links('/' + collection->name() + '/', from->timestamp, *page, modifier);
  return links.rewrite(target, modifier);
}

}  // namespace caddis::replay
