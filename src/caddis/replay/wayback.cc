#include "caddis/replay/wayback.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>

#include "caddis/base/log.h"
#include "caddis/base/strings.h"
#include "caddis/cdx/query.h"
#include "caddis/cdx/url_captures.h"
#include "caddis/http/host_check.h"
#include "caddis/replay/archive_api.h"
#include "caddis/replay/assets.h"
#include "caddis/replay/base_path.h"
#include "caddis/replay/blocked.h"
#include "caddis/replay/headers.h"
#include "caddis/replay/link_rewriter.h"
#include "caddis/replay/negotiation.h"
#include "caddis/replay/own_routes.h"
#include "caddis/replay/request_context.h"
#include "caddis/replay/search_page.h"
#include "caddis/replay/views.h"
#include "caddis/url/address_block.h"

namespace caddis::replay {
namespace {

std::string_view type_of_asset(std::string_view name) {
  if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  if (name.ends_with(".svg")) return "image/svg+xml";
  if (name.ends_with(".json")) return "application/json";
  return "text/html; charset=utf-8";
}

CollectionSummary summary_of(Collection& collection, const PageList& pages) {
  CollectionSummary summary{collection.name(), {}, 0, true, pages.count, pages.exact, {}};
  if (const auto size = collection.index().size()) {
    summary.captures = size->captures;
    summary.exact = size->exact;
  }
  summary.problems = collection.problems();
  if (auto metadata = collection.metadata())
    summary.metadata = *std::move(metadata);
  else
    summary.problems.push_back(metadata.error().message);
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

constexpr std::string_view kMethods[] = {"GET", "HEAD", "POST", "PUT", "PATCH", "OPTIONS"};
constexpr std::string_view kClientScript = "/-/client.js";
constexpr std::string_view kLanguageCookie = "caddis-language=";

// Whether the query has one of these parameters.
bool asks(const http::ServerRequest& request, std::initializer_list<std::string_view> names) {
  return std::ranges::any_of(cdx::parse_form(request.query),
                             [&](const auto& part) { return std::ranges::find(names, part.first) != names.end(); });
}

// "20260101000000bn_/http://…": a page with a banner in it, and no frame around it, which would leave the page free.
bool asks_banner_alone(std::string_view rest) {
  while (!rest.empty() && is_digit(rest.front())) rest.remove_prefix(1);
  return rest.starts_with("bn_/");
}

// The address of a capture behind `prefix`; nothing for what else may stand there.
std::optional<Address> replay_address(std::string_view target, std::string_view prefix) {
  return target.starts_with(prefix) ? capture_address(target.substr(prefix.size())) : std::nullopt;
}

// Whether it is a memento, a TimeGate, or leads from another address of a memento to its own.
bool is_of_memento(const http::ServerResponse& response) {
  const bool leads_to_one = response.status == 302 && !find_header(response.headers, "link").empty();
  return leads_to_one || !find_header(response.headers, "memento-datetime").empty() ||
         contains_ignore_case(find_header(response.headers, "vary"), "accept-datetime");
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

// The language that somebody has chosen, before the browser's.
const pages::Language& language_of(const http::ServerRequest& request) {
  for (const std::string_view part : split(request.header("cookie"), ';')) {
    const std::string_view cookie = trim(part);
    if (!cookie.starts_with(kLanguageCookie)) continue;
    if (const auto* const chosen = pages::find_language(cookie.substr(kLanguageCookie.size()))) return *chosen;
  }
  return pages::preferred_language(request.header("accept-language"));
}

// Keeps the language, and leads back to a page of the archive itself.
http::ServerResponse answer_language(const std::string& base, const FormValues& asked) {
  std::string back = header_url(asked.get("back"));
  // "//host/" and "/\\host/" are other hosts to a browser.
  const bool is_own = back.starts_with('/') && !back.starts_with("//") && !back.starts_with("/\\");
  http::ServerResponse response = redirect_to(303, base + (is_own ? std::move(back) : "/"));
  if (const auto* const language = pages::find_language(asked.get("to")))
    response.headers.emplace_back("Set-Cookie", std::string(kLanguageCookie) + std::string(language->code) +
                                                    "; Path=" + base + "/; Max-Age=31536000; SameSite=Lax; HttpOnly");
  response.headers.emplace_back("Cache-Control", "no-store");
  return response;
}

http::ServerResponse answer_logo(const pages::Theme& theme) {
  if (theme.logo.empty()) return http::text_response(404, "this archive has no logo");
  http::ServerResponse response(200);
  response.headers = {{"Content-Type", theme.logo_type},
                      {"Cache-Control", "max-age=300"},
                      {"Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox"},
                      {"X-Content-Type-Options", "nosniff"}};
  response.body = theme.logo;
  return response;
}

// For a capture that is opened in a window under an IPv6 address.
http::ServerResponse answer_ipv6_window(const Place& place, const http::ServerRequest& request) {
  const std::string scheme = place.own_origin.substr(0, place.own_origin.find("//") + 2);
  if (http::host_of(request.header("host")) == "::1")
    return redirect_to(302, scheme + "localhost" + place.port + place.base + target_of(request));
  return own_page(421, message_page("Not under this address",
                                    "Browsers cannot hold captured pages under an IPv6 address. Open the archive under "
                                    "an IPv4 address, or under a name ('caddis serve --public-name')."));
}

std::vector<Collection*> collections_of(const std::vector<SeenCollection>& seen) {
  std::vector<Collection*> collections;
  for (const SeenCollection& one : seen) collections.push_back(one.collection.get());
  return collections;
}

http::ServerResponse keep_all_for_body(http::ServerResponse response, const std::vector<SeenCollection>& seen) {
  for (const SeenCollection& one : seen) response = keep_for_body(std::move(response), one.collection);
  return response;
}

// All that are neither this one, nor members of it.
std::vector<std::shared_ptr<Collection>> without(const std::vector<SeenCollection>& all, const Collection& one) {
  std::vector<std::shared_ptr<Collection>> others;
  for (const SeenCollection& seen : all) {
    const auto is_it = [&](const auto& member) { return member->name() == seen.collection->name(); };
    if (seen.collection->name() != one.name() && std::ranges::none_of(one.members(), is_it))
      others.push_back(seen.collection);
  }
  return others;
}

// For a request to the proxy, which asks for no log-in.
Place place_of_proxy(const http::ServerRequest& request) {
  Place place;
  place.viewer.address = url::parse_address(request.remote.address);
  return place;
}

// Whether another one who asks for the same may be given another answer.
bool depends_on_viewer(const WaybackOptions& options, const viewing::Viewer& viewer) {
  return !viewer.role.empty() || !viewer.user.empty() || (options.rules && !options.rules->is_empty());
}

// No cache gives the answer to others, nor to the same one without asking: rules change, log-ins end.
void keep_to_viewer(http::ServerResponse& response) {
  if (find_header(response.headers, "cache-control").empty())
    response.headers.emplace_back("Cache-Control", "private, no-cache");
}

// The seconds between the nearest capture of that very URL in a collection, as its index has it, and that time (empty: the
// latest). The most there are if it has none.
long long distance_in(Collection& collection, std::string_view url, std::string_view timestamp) {
  const std::string_view wanted = timestamp.empty() ? "99991231235959" : timestamp;
  const auto captures = collection.index().captures_of(url);
  const auto near = captures ? captures->closest(wanted, 1) : std::unexpected(captures.error());
  if (!near || near->empty()) return std::numeric_limits<long long>::max();
  return cdx::timestamp_distance(near->front().timestamp, wanted);
}

using SharedCollections = std::vector<std::shared_ptr<Collection>>;

// Sorts them by how near their nearest capture of that very URL is, as `see` lets it be seen; those without one come last.
SharedCollections nearest_first(SharedCollections all, const Address& address,
                                const std::function<SeenCollection(Collection&)>& see) {
  if (all.size() < 2) return all;
  std::vector<std::pair<long long, size_t>> ranked;  // distance and place
  for (size_t i = 0; i < all.size(); ++i) {
    const SeenCollection seen = see(*all[i]);
    ranked.emplace_back(distance_in(*seen.collection, address.url, address.timestamp), i);
  }
  std::ranges::sort(ranked);
  SharedCollections sorted;
  for (const auto& [distance, place] : ranked) sorted.push_back(std::move(all[place]));
  return sorted;
}

http::ServerRequest as_for_a_frame(http::ServerRequest request) {
  for (auto& [name, value] : request.headers)
    if (equals_ignore_case(name, "sec-fetch-dest")) value = "iframe";
  return request;
}

// An address of the archive without the key of its collection, where it has one.
std::string_view without_key(std::string_view target) {
  return target.starts_with("/~") ? target.substr(std::min(target.find('/', 1), target.size())) : target;
}

// Whether a page sends it that is a capture under a host of its own.
bool is_of_captures(const Origins& origins, const http::ServerRequest& request) {
  const std::string_view origin = request.header("origin");
  if (origin.empty()) return false;
  http::ServerRequest of_page;
  of_page.headers.emplace_back(
      "Host", std::string(origin.substr(origin.find("//") == std::string_view::npos ? 0 : origin.find("//") + 2)));
  return origins.place_of(of_page).kind == Place::Kind::captures;
}

}  // namespace

Wayback::Wayback(io::Files& files, std::vector<std::shared_ptr<Collection>> collections, Origins origins,
                 AskCrawl ask_crawl, WaybackOptions options)
    : files_(files),
      collections_(std::move(collections)),
      origins_(std::move(origins)),
      ask_crawl_(std::move(ask_crawl)),
      options_(std::move(options)),
      memory_(options_.memory != nullptr
                  ? options_.memory
                  : std::make_shared<WaybackMemory>(
                        origins_.secret(), collections_.empty() ? system_clock() : collections_.front()->clock(),
                        options_.standing)) {}

bool is_page_file(std::string_view path) {
  if (!path.starts_with("/-/")) return false;
  path.remove_prefix(3);
  return path == "theme.css" || path == "logo" || path == "language" || !find_asset(path).empty();
}

Collection* Wayback::find(std::string_view name) const {
  for (const auto& collection : collections_)
    if (collection->name() == name) return collection.get();
  return nullptr;
}

http::ServerResponse Wayback::handle(const http::ServerRequest& request, viewing::Viewer viewer) {
  Place place = origins_.place_of(request);
  place.viewer = std::move(viewer);
  if (!place.viewer.address) place.viewer.address = url::parse_address(request.remote.address);
  http::ServerResponse response = answer(place, request);
  // A captured page that frames a response without a policy reaches into a document that may go anywhere.
  if (place.kind == Place::Kind::captures && find_header(response.headers, "connection-allowlist").empty())
    add_confinement(response.headers, Confinement());
  if (depends_on_viewer(options_, place.viewer)) keep_to_viewer(response);
  if (response.status == 404) note_missed(place, request, response);
  log_info("replay", "{} {}: {}", request.method, header_url(hide_key(request.target)), response.status);
  return response;
}

http::ServerResponse Wayback::answer_outside(const http::ServerRequest& request) const {
  const Place place = origins_.place_of(request);
  const std::string target = target_of(request);
  const std::string_view path = std::string_view(target).substr(0, target.find('?'));
  http::ServerResponse response;
  if (place.kind == Place::Kind::foreign)
    response = http::text_response(421, http::other_host_message(request.header("host")));
  else if (place.kind == Place::Kind::own && path == place.base)
    response = redirect_to(302, place.base + '/' + target.substr(path.size()));
  else if (auto address = address_of_stray(target, request); address && place.kind == Place::Kind::captures)
    response = redirect_to(307, *std::move(address));
  else
    response = http::text_response(404, "the archive is below " + place.base + "/ at this host");
  if (place.kind == Place::Kind::captures) add_confinement(response.headers, Confinement());
  return response;
}

http::ServerResponse Wayback::answer(const Place& place, const http::ServerRequest& request) const {
  if (std::ranges::find(kMethods, request.method) == std::end(kMethods)) {
    http::ServerResponse refused = http::text_response(405, "an archive is read with GET, HEAD, POST, PUT and PATCH");
    refused.headers.emplace_back("Allow", "GET, HEAD, POST, PUT, PATCH, OPTIONS");
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
  if (request.path == "/") return answer_start(place, writer_for(request, place.viewer.user));
  const std::string_view rest = target.substr(1);
  const size_t slash = rest.find('/');
  const std::string_view name = rest.substr(0, slash);
  if (name == "-" && slash != std::string_view::npos) return answer_asset(place, rest.substr(slash + 1), request);
  if (name.starts_with('~')) return answer_keyed(place, rest, request);
  if (Collection* const collection = find(name)) {
    if (slash == std::string_view::npos) return redirect_to(302, place.base + '/' + std::string(name) + '/');
    return answer_in(place, *collection, rest.substr(slash + 1), request);
  }
  if (Collection* const collection = find(rest.substr(0, rest.find('?')));
      collection != nullptr && asks(request, {"url", "urlkey", "q"}))
    return answer_in(place, *collection, rest.substr(collection->name().size()), request);
  if (auto response = answer_all_api(place, request)) return *std::move(response);
  if (name == "web" && slash != std::string_view::npos && !collections_.empty())
    return answer_web(place, rest.substr(slash + 1), request);
  if (auto address = address_of_stray(place.base + std::string(target), request))
    return redirect_to(307, *std::move(address));
  const pages::Writer writer = writer_for(request, place.viewer.user);
  return own_page(404, message_page(writer, writer.text("title-not-found"), writer.text("no-collection")));
}

// "/web/<asked>". TimeMaps, TimeGates and the CDX API are those of an aggregate of all.
http::ServerResponse Wayback::answer_web(const Place& place, std::string_view asked,
                                         const http::ServerRequest& request) const {
  SharedCollections members;
  for (const auto& one : collections_)
    if (one->members().empty()) members.push_back(one);
  if (is_api(asked) && members.size() > 1) {
    const auto all = Collection::join("web", std::move(members));
    http::ServerResponse response = answer_in(place, *all, asked, request);
    // A page about what is in none has a search form, which is that of a collection.
    if (response.status != 404 || !asked.starts_with("timegate/")) return response;
  }
  const auto seen = see_all(place);
  const std::string meant = collection_for(collections_of(seen), asked).name();
  return answer_in(place, *find(meant), asked, request);
}

// Only replay of the one collection, and the script that it needs: whatever a captured page could read as its own.
http::ServerResponse Wayback::answer_captures_place(const Place& place, std::string_view target,
                                                    const http::ServerRequest& request) const {
  const bool is_window = destination_of(request) == Destination::window;
  if (is_window && !options_.is_frameless) return redirect_to(302, place.own_origin + place.base + std::string(target));
  if (request.path == kClientScript) return answer_asset(place, request.path.substr(3), request);
  const SeenCollection seen = see_in(place, *find(place.collection));
  // Without a frame a window is given what would stand in it.
  const http::ServerRequest in_window = is_window ? as_for_a_frame(request) : http::ServerRequest();
  const RequestContext context = captures_context(place, seen, is_window ? in_window : request);
  if (const auto address = replay_address(target, context.asked_prefix()))
    return keep_for_body(answer_replay(context, *address), seen.collection);
  if (!target.starts_with(context.asked_prefix()))
    if (auto address = address_of_stray(place.base + std::string(target), request))
      return redirect_to(307, *std::move(address));
  return http::text_response(404, "this host answers with captures of one collection alone");
}

// "~<key>/<collection>/…": the same, for clients for which captures have no host.
http::ServerResponse Wayback::answer_keyed(const Place& asked, std::string_view rest,
                                           const http::ServerRequest& request) const {
  const auto refuse = [] {
    http::ServerResponse response = http::text_response(404, "no captures have this address, or not any more");
    add_confinement(response.headers, Confinement());
    return response;
  };
  const std::string_view key = rest.substr(1, rest.find('/') - 1);
  const std::string_view own = rest.substr(std::min(rest.find('/'), rest.size()));
  Collection* const collection = own.empty() ? nullptr : find(own.substr(1, own.find('/', 1) - 1));
  if (collection == nullptr) return refuse();
  Place place = asked;
  if (origins_.key_of(collection->name()) != key) {
    const auto owner = memory_->keys.viewer_of(key, collection->name());
    if (!owner) return refuse();
    place.viewer.user = owner->user;
    place.viewer.role = owner->role;
    place.viewer.standing = owner->standing;
  }
  const bool is_of_viewer = depends_on_viewer(options_, place.viewer);
  if (destination_of(request) == Destination::window) return redirect_to(302, place.base + std::string(own));
  const SeenCollection seen = see_in(place, *collection);
  const RequestContext context = keyed_context(place, seen, request);
  const auto address = replay_address('/' + std::string(rest), context.asked_prefix());
  if (!address) return refuse();
  http::ServerResponse response =
      request.method == "OPTIONS" ? http::ServerResponse(204) : answer_replay(context, *address);
  if (find_header(response.headers, "connection-allowlist").empty())
    add_confinement(response.headers, context.confinement.without_scripts());
  allow_reading(request, response);
  if (is_of_viewer) keep_to_viewer(response);
  return keep_for_body(std::move(response), seen.collection);
}

http::ServerResponse Wayback::answer_start(const Place& place, const pages::Writer& writer) const {
  std::vector<CollectionSummary> summaries;
  for (const auto& collection : collections_) {
    const SeenCollection seen = see_in(place, *collection);
    summaries.push_back(summary_of(*seen.collection, *seen.collection->pages()));
  }
  return own_page(200, start_page(writer, summaries));
}

http::ServerResponse Wayback::answer_asset(const Place& place, std::string_view rest,
                                           const http::ServerRequest& request) const {
  const std::string_view name = rest.substr(0, rest.find('?'));
  if (name == "go") return answer_go(request);
  if (name == "language") return answer_language(place.base, FormValues(request.query));
  const pages::Writer writer = writer_for(request, place.viewer.user);
  if (name == "search") return answer_search_in_all(place, writer, request.query);
  if (name == "logo") return answer_logo(options_.pages->theme());
  const std::string_view bytes =
      name == "theme.css" ? std::string_view(options_.pages->theme().style) : find_asset(name);
  if (bytes.empty()) return own_page(404, message_page(writer, writer.text("title-not-found"), writer.text("no-file")));
  http::ServerResponse response(200);
  response.headers = {{"Content-Type", std::string(type_of_asset(name))},
                      {"Cache-Control", "max-age=300"},
                      {"X-Content-Type-Options", "nosniff"}};
  response.body = bytes;
  return response;
}

http::ServerResponse Wayback::answer_search_in_all(const Place& place, const pages::Writer& writer,
                                                   std::string_view query) const {
  const auto seen = see_all(place);
  if (seen.empty()) return redirect_to(302, place.base + "/");
  return keep_all_for_body(answer_search_everywhere(writer, collections_of(seen), query, options_.limits), seen);
}

std::optional<http::ServerResponse> Wayback::answer_all_api(const Place& place,
                                                            const http::ServerRequest& request) const {
  if (!is_archive_api(request.path)) return std::nullopt;
  const auto seen = see_all(place);
  std::vector<ListedCollection> listed;
  for (const auto& collection : collections_)
    listed.push_back({collection->name(), collection->metadata().value_or(collection::Metadata())});
  return keep_all_for_body(
      answer_archive_api(files_, collections_of(seen), listed, request, place.own_origin + place.base, options_.limits),
      seen);
}

http::ServerResponse Wayback::answer_go(const http::ServerRequest& request) const {
  const std::string& base = origins_.base();
  std::string collection(FormValues(request.query).get("collection"));
  if (collection.empty() && collections_.size() == 1) collection = collections_.front()->name();
  const auto search = parse_search(request.query, collection);
  if (!search || (!collection.empty() && find(collection) == nullptr)) return redirect_to(302, base + "/");
  const std::string query = form_query(search->form);
  if (collection.empty()) return redirect_to(302, base + "/-/search?" + query);
  // The calendar of one URL has an address that people can read.
  const SearchForm& form = search->form;
  const bool is_plain = form.match == "exact" && (form.from + form.to + form.status + form.type).empty();
  return redirect_to(
      302, base + (is_plain ? calendar_address(collection, form.url) : '/' + collection + "/search?" + query));
}

pages::Writer Wayback::writer_for(const http::ServerRequest& request, const std::string& user) const {
  pages::Writer writer(options_.pages, language_of(request), header_url(target_of(request)), origins_.base());
  // Without a standing, somebody else has let them in: there is no log-in to end.
  if (memory_->keys.has_log_in()) writer.set_user(user);
  return writer;
}

http::ServerResponse Wayback::answer_proxied(const http::ServerRequest& request, std::string_view collection,
                                             const Address& address) const {
  const Place place = place_of_proxy(request);
  SharedCollections asked;
  for (const auto& one : collections_)
    if (collection.empty() ? one->members().empty() : one->name() == collection) asked.push_back(one);
  const auto see = [&](Collection& one) { return see_in(place, one); };
  std::optional<http::ServerResponse> missing;
  for (const auto& one : nearest_first(std::move(asked), address, see)) {
    const SeenCollection seen = see_in(place, *one);
    const RequestContext context = own_context(place, seen, request);
    auto refused = refuse_blocked_as_captured(context, address);
    http::ServerResponse response =
        keep_for_body(refused ? *std::move(refused) : replay_as_captured(context, address), seen.collection);
    if (depends_on_viewer(options_, place.viewer)) keep_to_viewer(response);
    if (!find_header(response.headers, "memento-datetime").empty()) return response;
    // 451 and 503 tell more than the 404 of a collection that has nothing.
    if (!missing || missing->status < response.status) missing = std::move(response);
  }
  return missing ? *std::move(missing) : http::text_response(404, "there is no such collection");
}

http::ServerResponse Wayback::answer_own_file(const http::ServerRequest& request, std::string_view name) const {
  return answer_asset(place_of_proxy(request), name, request);
}

void Wayback::note_missed(const Place& place, const http::ServerRequest& request,
                          const http::ServerResponse& response) const {
  // A capture of a 404 is one.
  if (!find_header(response.headers, "memento-datetime").empty() || destination_of(request) == Destination::window)
    return;
  const std::string own = target_of(request);
  const std::string_view target = without_key(own);
  const size_t slash = target.find('/', 1);
  const Collection* const collection = slash == std::string_view::npos ? nullptr : find(target.substr(1, slash - 1));
  if (collection == nullptr || (place.kind == Place::Kind::captures && place.collection != collection->name())) return;
  const std::string prefix = '/' + collection->name() + '/';
  const auto address = replay_address(target, prefix);
  const auto referer = url::Url::parse(request.header("referer"));
  if (!address || !referer) return;
  const auto from = below_base(origins_.base(), std::string(referer->pathname()) + std::string(referer->search()));
  if (!from) return;
  const auto page = replay_address(without_key(*from), prefix);
  if (!page || page->url == address->url) return;
  memory_->missed.add(collection->name(), {cdx::normal_url(address->url), cdx::normal_url(page->url), page->timestamp,
                                           std::string(named_destination(request).substr(0, 20)), 0});
}

http::ServerResponse Wayback::answer_collection(Collection& collection, const pages::Writer& writer) const {
  const auto pages = collection.pages();
  return own_page(200, collection_page(writer, summary_of(collection, *pages), *pages, collection.launch()));
}

SeenCollection Wayback::see_in(const Place& place, Collection& collection) const {
  return see(collection, options_.rules.get(), place.viewer);
}

std::vector<SeenCollection> Wayback::see_all(const Place& place) const {
  std::vector<SeenCollection> seen;
  for (const auto& collection : collections_)
    if (collection->members().empty()) seen.push_back(see_in(place, *collection));
  return seen;
}

// For a request to the own pages.
RequestContext Wayback::own_context(const Place& place, const SeenCollection& seen,
                                    const http::ServerRequest& request) const {
  Collection& collection = *seen.collection;
  const std::string own_prefix = place.base + '/' + collection.name() + '/';
  const std::string host = origins_.captures_host(request, collection.name());
  const std::string captures =
      host.empty()
          ? place.base + "/~" + memory_->keys.key_of(collection.name(), place.viewer) + '/' + collection.name() + '/'
          : "//" + host + own_prefix;
  const MementoBase memento{place.own_origin + own_prefix, collection.name()};
  const std::string sources =
      place.own_origin + own_prefix + ' ' + place.own_origin + place.base + std::string(kClientScript);
  return {files_,
          ask_crawl_,
          collection,
          request,
          memento,
          place,
          own_prefix,
          captures,
          {Confinement::Scripts::without_origin, sources, ""},
          seen,
          writer_for(request),
          memory_->missed,
          options_,
          [this, &place, &collection] { return without(see_all(place), collection); },
          collections_};
}

// For a request to the captures' host.
RequestContext Wayback::captures_context(const Place& place, const SeenCollection& seen,
                                         const http::ServerRequest& request) const {
  RequestContext context = own_context(place, seen, request);
  context.confinement = {Confinement::Scripts::with_origin, "'self'", origins_.ancestors(place)};
  return context;
}

// For a request with the collection's key. A policy with paths, since the own pages have the same host.
RequestContext Wayback::keyed_context(const Place& place, const SeenCollection& seen,
                                      const http::ServerRequest& request) const {
  RequestContext context = own_context(place, seen, request);
  const std::string& name = seen.collection->name();
  context.prefix = place.base + "/~" + memory_->keys.key_of(name, place.viewer) + '/' + name + '/';
  context.confinement.sources =
      place.own_origin + context.prefix + ' ' + place.own_origin + place.base + std::string(kClientScript);
  return context;
}

http::ServerResponse Wayback::answer_in(const Place& place, Collection& collection, std::string_view rest,
                                        const http::ServerRequest& request) const {
  if (request.method == "OPTIONS") return preflight_answer();
  const SeenCollection seen = see_in(place, collection);
  RequestContext context = own_context(place, seen, request);
  context.writer = writer_for(request, place.viewer.user);
  http::ServerResponse response = answer_about(context, rest);
  const bool is_memento = is_of_memento(response);
  // Not for the page around a capture, nor for captured pages, which are kept from each other: if they have a host, it
  // is known.
  const bool is_opened = destination_of(request) == Destination::window || is_browser_without_word(request);
  if ((is_api(rest) || (is_memento && !is_opened)) && request.header("origin") != "null" &&
      !is_of_captures(origins_, request))
    let_others_read(response.headers);
  return keep_for_body(std::move(response), seen.collection);
}

// "<rest>" behind "/<collection>/".
http::ServerResponse Wayback::answer_about(const RequestContext& context, std::string_view rest) const {
  const http::ServerRequest& request = context.request;
  if (rest.empty() || rest.front() == '?') {
    if (asks(request, {"url", "urlkey"})) return answer_cdx(context, cdx::Dialect::outback);
    return asks(request, {"q"}) ? answer_xml(context) : answer_collection(context.collection, context.writer);
  }
  if (is_own_route(rest)) return answer_own_route(context, rest);
  if (rest == "cdx" || rest.starts_with("cdx?")) return answer_cdx(context, cdx::Dialect::pywb);
  if (rest == "cdx/search/cdx" || rest.starts_with("cdx/search/cdx?"))
    return answer_cdx(context, cdx::Dialect::internet_archive);
  if (rest.starts_with("timemap/")) return answer_timemap(context, rest.substr(8));
  if (rest.starts_with("timegate/")) return answer_timegate(context, repair_url(rest.substr(9)), Modifier::page);
  if (asks_banner_alone(rest))
    return own_page(400, message_page(context.writer, context.writer.text("title-asked-wrong"),
                                      context.writer.text("no-banner-alone")));
  const auto address = parse_address(rest);
  if (!address)
    return own_page(
        404, message_page(context.writer, context.writer.text("title-not-found"), context.writer.text("no-url")));
  switch (address->kind) {
    case Address::Kind::captures:
      if (auto refused = refuse_blocked(context, address->url, "", address->modifier)) return *std::move(refused);
      return answer_captures(context, *address);
    case Address::Kind::urls:
    case Address::Kind::domain:
      return answer_urls(context, *address);
    case Address::Kind::replay:
      break;
  }
  // No policy can name an IPv6 address, so a frame under one would stay empty.
  if (request.header("host").starts_with('[') && is_for_a_window(request, address->modifier))
    return answer_ipv6_window(context.place, request);
  // In a frame, captured scripts run under the captures' host or key alone.
  const Destination destination = destination_of(request);
  if (destination == Destination::frame || destination == Destination::plugin)
    return redirect_to(307, context.captures + std::string(rest));
  return answer_replay(context, *address);
}

http::ServerResponse Wayback::answer_replay(const RequestContext& context, const Address& address) const {
  if (auto refused = refuse_blocked(context, address.url, address.timestamp, address.modifier))
    return *std::move(refused);
  if (address.timestamp.empty() && is_page(address.modifier))
    return answer_timegate(context, address.url, address.modifier);
  Address chosen = address;
  // An address that pages embed, without a time: a TimeGate that answers at once (RFC 7089, section 4.2.2).
  const bool is_gate = address.timestamp.empty();
  if (is_gate) {
    auto wanted = asked_datetime(context.request);
    if (!wanted) return http::text_response(400, wanted.error().message);
    chosen.timestamp = *std::move(wanted);
  }
  const auto preference = is_page(address.modifier) ? preference_of(context.request) : std::nullopt;
  if (preference) chosen.modifier = preference->modifier;
  http::ServerResponse response = replay(context, chosen);
  if (is_gate) add_vary(response.headers, "accept-datetime");
  if (is_page(address.modifier)) add_vary(response.headers, "prefer");
  if (!preference || find_header(response.headers, "memento-datetime").empty()) return response;
  set_header(response.headers, "Preference-Applied", preference->name);
  if (chosen.modifier != address.modifier && find_header(response.headers, "content-location").empty())
    set_header(
        response.headers, "Content-Location",
        context.prefix + chosen.timestamp + std::string(to_string(chosen.modifier)) + '/' + header_url(chosen.url));
  return response;
}

// "/style.css" asked for by a page at "/coll/2026…/http://host/page" is "http://host/style.css" in the archive.
std::optional<std::string> Wayback::address_of_stray(std::string_view target,
                                                     const http::ServerRequest& request) const {
  const auto referer = url::Url::parse(request.header("referer"));
  if (!referer || referer->host() != to_lower(request.header("host"))) return std::nullopt;
  const auto path = below_base(origins_.base(), std::string(referer->pathname()) + std::string(referer->search()));
  if (!path) return std::nullopt;
  const std::string_view rest = std::string_view(*path).substr(1);
  const size_t slash = rest.find('/');
  const Collection* const collection = find(rest.substr(0, slash));
  if (collection == nullptr || slash == std::string_view::npos) return std::nullopt;
  const auto from = parse_address(rest.substr(slash + 1));
  if (!from || from->kind != Address::Kind::replay) return std::nullopt;
  const auto page = url::Url::parse(from->url);
  if (!page) return std::nullopt;
  const Modifier modifier = modifier_for(named_destination(request), from->modifier);
  const LinkRewriter links(origins_.base() + '/' + collection->name() + '/', from->timestamp, *page, modifier);
  return links.rewrite(target, modifier);
}

}  // namespace caddis::replay
