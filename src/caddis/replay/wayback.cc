#include "caddis/replay/wayback.h"

#include "caddis/base/log.h"
#include "caddis/base/strings.h"
#include "caddis/cdx/query.h"
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

bool is_host(std::string_view host) {
  return !host.empty() &&
         host.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._:[]") ==
             std::string_view::npos;
}

// "http://host:port" under which the client knows this server.
std::string origin_of(const http::ServerRequest& request) {
  const std::string_view host = request.header("host");
  return (request.tls ? "https://" : "http://") + std::string(is_host(host) ? host : "localhost");
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

}  // namespace

Wayback::Wayback(io::Files& files, std::vector<std::unique_ptr<Collection>> collections)
    : files_(files), collections_(std::move(collections)) {}

Collection* Wayback::find(std::string_view name) const {
  for (const auto& collection : collections_)
    if (collection->name() == name) return collection.get();
  return nullptr;
}

http::ServerResponse Wayback::handle(const http::ServerRequest& request) {
  http::ServerResponse response = answer(request);
  log_info("replay", "{} {}: {}", request.method, header_url(request.target), response.status);
  return response;
}

http::ServerResponse Wayback::answer(const http::ServerRequest& request) const {
  if (request.method != "GET" && request.method != "HEAD" && request.method != "POST") {
    http::ServerResponse refused = http::text_response(405, "an archive is read with GET, HEAD and POST");
    refused.headers.emplace_back("Allow", "GET, HEAD, POST");
    return refused;
  }
  // A service worker of an archived page would answer for the archive itself from then on.
  if (request.header("service-worker") == "script") return http::text_response(403, "service workers are not replayed");
  const std::string target = request.target.starts_with('/')
                                 ? request.target
                                 : request.path + (request.query.empty() ? "" : '?' + request.query);
  if (request.path == "/") return answer_start();
  const std::string_view rest = std::string_view(target).substr(1);
  const size_t slash = rest.find('/');
  const std::string_view name = rest.substr(0, slash);
  if (name == "-" && slash != std::string_view::npos) return answer_own(rest.substr(slash + 1), request);
  Collection* const collection = find(name);
  if (collection == nullptr) return answer_stray(target, request);
  if (slash == std::string_view::npos) return redirect_to(302, '/' + std::string(name) + '/');
  return answer_in(*collection, rest.substr(slash + 1), request);
}

http::ServerResponse Wayback::answer_start() const {
  std::vector<CollectionSummary> summaries;
  for (const auto& collection : collections_) summaries.push_back(summary_of(*collection, *collection->pages()));
  return own_page(200, start_page(summaries));
}

http::ServerResponse Wayback::answer_own(std::string_view rest, const http::ServerRequest& request) const {
  const std::string_view name = rest.substr(0, rest.find('?'));
  if (name == "go") return answer_go(request);
  const std::string_view bytes = find_asset(name);
  if (bytes.empty()) return own_page(404, message_page("Not found", "There is no such file."));
  http::ServerResponse response(200);
  response.headers = {{"Content-Type", std::string(type_of_asset(name))}, {"Cache-Control", "max-age=300"}};
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

http::ServerResponse Wayback::answer_in(Collection& collection, std::string_view rest,
                                        const http::ServerRequest& request) const {
  const RequestContext context{
      files_, collection, request, {origin_of(request) + '/' + collection.name() + '/', collection.name()}};
  if (rest.empty() || rest.front() == '?') return answer_collection(collection);
  if (rest == "cdx" || rest.starts_with("cdx?")) return answer_cdx(context);
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
  if (address->timestamp.empty() && is_page(address->modifier))
    return answer_timegate(context, address->url, address->modifier);
  return replay(context, *address);
}

// "/style.css" asked for by a page at "/coll/2026…/http://host/page" is "http://host/style.css" in the archive.
http::ServerResponse Wayback::answer_stray(std::string_view target, const http::ServerRequest& request) const {
  const std::string origin = origin_of(request) + '/';
  std::string_view referer = request.header("referer");
  if (referer.starts_with(origin)) {
    referer.remove_prefix(origin.size());
    const size_t slash = referer.find('/');
    const Collection* const collection = find(referer.substr(0, slash));
    const auto from = collection != nullptr && slash != std::string_view::npos
                          ? parse_address(referer.substr(slash + 1))
                          : std::optional<Address>();
    const auto page = from ? url::Url::parse(from->url) : fail(ErrorCode::not_found, "");
    if (page && from->kind == Address::Kind::replay) {
      const Modifier modifier = modifier_for(request.header("sec-fetch-dest"), from->modifier);
      const LinkRewriter links('/' + collection->name() + '/', from->timestamp, *page, modifier);
      if (auto location = links.rewrite(target, modifier)) return redirect_to(307, *std::move(location));
    }
  }
  return own_page(404,
                  message_page("Not found", "There is no such collection, and the address is not one of the archive."));
}

}  // namespace caddis::replay
