// Addresses in the shapes of the Internet Archive and of Common Crawl, for the tools that know no others:
//
//   /cdx/search/cdx?url=…          captures of all collections, in its dialect
//   /wayback/available?url=…       the nearest capture, in JSON
//   /collinfo.json                 the collections, with the addresses of their TimeGates and CDX APIs
//   /web/<timestamp><modifier>/…   as below a collection: that which has the nearest capture
//   /web/timemap/…, /web/timegate/…, /web/cdx?…   as below an aggregate of all (Wayback::answer_web)
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/cdx/capture_index.h"
#include "caddis/cdxserver/query_answer.h"
#include "caddis/collection/metadata.h"
#include "caddis/http/server.h"
#include "caddis/io/files.h"
#include "caddis/replay/collection.h"

namespace caddis::replay {

// At least one, as whoever asks sees them.
using Collections = std::vector<Collection*>;

struct ListedCollection {
  std::string name;
  collection::Metadata metadata;
};

// True for the first three.
bool is_archive_api(std::string_view path);
// The answer to one of these. Its body reads from the collections. `own_root` is where the own pages begin, without the
// last slash; `listed`: the collections, and aggregates.
http::ServerResponse answer_archive_api(io::Files& files, const Collections& collections,
                                        const std::vector<ListedCollection>& listed, const http::ServerRequest& request,
                                        std::string_view own_root, const cdxserver::AnswerLimits& limits);

// The collection that is meant by "2020id_/http://example.org/".
Collection& collection_for(const Collections& collections, std::string_view address);

}  // namespace caddis::replay
