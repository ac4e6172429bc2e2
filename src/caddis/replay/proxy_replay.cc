#include "caddis/replay/proxy_replay.h"

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/replay/destination.h"
#include "caddis/replay/memento.h"
#include "caddis/replay/own_routes.h"
#include "caddis/replay/request_context.h"

namespace caddis::replay {
namespace {

using pages::Data;

constexpr std::string_view kOwnHost = "caddis.proxy";
constexpr size_t kMostClients = 10'000;

// The URL that is asked for; empty for one to the proxy itself.
std::string asked_url(const http::ServerRequest& request) {
  if (request.target.contains("://") && !request.target.starts_with('/')) return request.target;
  if (!request.tls) return {};
  return "https://" + std::string(request.header("host")) + request.target;
}

http::ServerResponse certificate_file(std::string_view type, std::string_view name, const std::string& bytes) {
  http::ServerResponse response(200);
  response.headers = {{"Content-Type", std::string(type)},
                      {"Content-Disposition", "attachment; filename=\"" + std::string(name) + '"'}};
  response.body = bytes;
  return response;
}

// Whether a page loads it, and it is none itself. Browsers say so over https and to this machine alone; elsewhere, a page is
// known by its Accept.
bool is_for_a_page(const http::ServerRequest& request) {
  const Destination destination = destination_of(request);
  if (destination == Destination::resource || destination == Destination::plugin) return true;
  const std::string_view accept = request.header("accept");
  return request.header("sec-fetch-dest").empty() && !accept.empty() && !accept.contains("text/html");
}

}  // namespace

http::ServerResponse ProxyReplay::handle(const Wayback& wayback, const http::ServerRequest& request) {
  const std::string asked = asked_url(request);
  if (asked.empty()) return answer_own(wayback, request, request.path);
  const auto url = url::Url::parse(asked);
  if (!url || !url->is_http()) return http::text_response(400, "a proxy is asked for URLs of http and https");
  if (url->hostname() == kOwnHost) return answer_own(wayback, request, url->pathname());
  const Wish wish = wish_of(request);
  Address address;
  address.timestamp = wish.timestamp;
  address.url = url->href();
  // Files that a page loads may have another query than those that were captured (fuzzy.h); pages may not.
  if (is_for_a_page(request)) address.modifier = Modifier::other;
  if (const std::string_view accept = request.header("accept-datetime"); !accept.empty()) {
    const auto timestamp = parse_accept_datetime(accept);
    if (!timestamp) return http::text_response(400, timestamp.error().message);
    address.timestamp = *timestamp;
  }
  return wayback.answer_proxied(request, wish.collection, address);
}

ProxyReplay::Wish ProxyReplay::wish_of(const http::ServerRequest& request) const {
  const std::scoped_lock lock(mutex_);
  const auto known = wishes_.find(request.remote.address);
  return known == wishes_.end() ? Wish() : known->second;
}

http::ServerResponse ProxyReplay::answer_own(const Wayback& wayback, const http::ServerRequest& request,
                                             std::string_view path) {
  if (path == "/ca.pem") return certificate_file("application/x-pem-file", "caddis-proxy.pem", certificate_.pem);
  if (path == "/ca.cer") return certificate_file("application/x-x509-ca-cert", "caddis-proxy.cer", certificate_.der);
  if (path == "/date" && request.method == "POST") return take_wish(request);
  if (path.starts_with("/-/")) return wayback.answer_own_file(request, path.substr(3));
  if (path == "/") return page(wayback, request);
  return redirect_to(302, "/");
}

http::ServerResponse ProxyReplay::take_wish(const http::ServerRequest& request) {
  // Captured pages are in the same browser, and may send forms as well.
  const std::string_view origin = request.header("origin");
  if (!origin.empty() && origin.substr(std::min(origin.find("://") + 3, origin.size())) != request.header("host"))
    return http::text_response(403, "the date is chosen on the proxy's own page alone");
  const FormValues form(request.body);
  Wish wish{std::string(form.get("time")), std::string(form.get("collection"))};
  if (wish.timestamp.size() > 14 || !std::ranges::all_of(wish.timestamp, is_digit) ||
      (!wish.timestamp.empty() && !parse_timestamp(wish.timestamp)))
    return http::text_response(400, "a date is up to 14 digits: 2019, 201905, 20190501 …");
  const std::scoped_lock lock(mutex_);
  if (wishes_.size() >= kMostClients && !wishes_.contains(request.remote.address)) wishes_.erase(wishes_.begin());
  wishes_.insert_or_assign(request.remote.address, std::move(wish));
  return redirect_to(303, "/");
}

http::ServerResponse ProxyReplay::page(const Wayback& wayback, const http::ServerRequest& request) const {
  const pages::Writer writer = wayback.writer_for(request).at_root();
  const Wish wish = wish_of(request);
  Data::List collections;
  for (const auto& collection : wayback.collections())
    collections.push_back(Data{{"name", collection->name()}, {"is_chosen", collection->name() == wish.collection}});
  Data page{{"title", writer.text("title-proxy")},
            {"time", wish.timestamp},
            {"chosen", wish.collection},
            {"collections", std::move(collections)},
            {"fingerprint", certificate_.fingerprint}};
  return own_page(200, writer.page("proxy", std::move(page)));
}

}  // namespace caddis::replay
