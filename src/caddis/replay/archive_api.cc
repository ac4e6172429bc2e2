#include "caddis/replay/archive_api.h"

#include <string>

#include "caddis/base/json_text.h"
#include "caddis/cdx/url_captures.h"
#include "caddis/replay/address.h"

namespace caddis::replay {
namespace {

constexpr std::string_view kQuery = "/cdx/search/cdx", kCollections = "/collinfo.json";

// All collections as one index. What it gives holds the sources, not the index.
Result<std::unique_ptr<cdx::CaptureIndex>> index_of_all(io::Files& files, const Collections& collections) {
  auto all = std::make_unique<cdx::CaptureIndex>(files, collections.front()->clock(), "");
  for (Collection* const collection : collections) {
    TRY(const auto sources, collection->index().sources());
    for (const auto& source : sources) all->add_source(source);
  }
  return all;
}

std::string object_of(const collection::Metadata& metadata) {
  JsonObject object;
  for (const auto& [name, value] : metadata.fields()) object.add(name, value);
  return object.finish();
}

// The fields of Common Crawl's list, by which clients of CDX APIs find collections.
http::ServerResponse list_collections(const std::vector<ListedCollection>& listed, std::string_view own_root) {
  std::string list = "[";
  for (const auto& [name, metadata] : listed) {
    const std::string own = std::string(own_root) + '/' + name + '/';
    JsonObject one;
    one.add("id", name).add("name", metadata.title().empty() ? name : metadata.title());
    one.add("timegate", own + "timegate/").add("cdx-api", own + "cdx");
    if (!metadata.fields().empty()) one.add_raw("metadata", object_of(metadata));
    list += (list.size() > 1 ? ",\n" : "") + one.finish();
  }
  http::ServerResponse response = http::json_response(200, list + ']');
  response.headers.emplace_back("Access-Control-Allow-Origin", "*");
  return response;
}

}  // namespace

bool is_archive_api(std::string_view path) {
  return path == kQuery || path == kCollections || path == "/wayback/available";
}

http::ServerResponse answer_archive_api(io::Files& files, const Collections& collections,
                                        const std::vector<ListedCollection>& listed, const http::ServerRequest& request,
                                        std::string_view own_root, const cdxserver::AnswerLimits& limits) {
  if (request.path == kCollections) return list_collections(listed, own_root);
  if (collections.empty()) return http::text_response(404, "there is no collection now");
  const auto index = index_of_all(files, collections);
  if (!index) return cdxserver::refusal_of(index.error());
  if (request.path == kQuery)
    return cdxserver::answer_query_string(**index, cdx::Dialect::internet_archive, request,
                                          collections.front()->clock(), limits);
  return cdxserver::answer_available(**index, request, [&](const cdx::Capture& capture) {
    return std::string(own_root) + "/web/" + capture.timestamp + '/' + capture.url;
  });
}

Collection& collection_for(const Collections& collections, std::string_view address) {
  Collection* nearest = collections.front();
  const auto parsed = parse_address(address);
  if (!parsed || collections.size() == 1) return *nearest;
  const std::string timestamp = parsed->timestamp.empty() ? "99991231235959" : parsed->timestamp;
  long long least = -1;
  for (Collection* const collection : collections) {
    const auto captures = collection->index().captures_of(parsed->url);
    const auto found = captures ? captures->closest(timestamp, 1) : Result<std::vector<cdx::Capture>>();
    if (!found || found->empty()) continue;
    const long long distance = cdx::timestamp_distance(found->front().timestamp, timestamp);
    if (least >= 0 && distance >= least) continue;
    least = distance;
    nearest = collection;
  }
  return *nearest;
}

}  // namespace caddis::replay
