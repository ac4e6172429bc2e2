// Search for URLs: those that begin so, of a host, or of a domain, page after page, however many there are; in one
// collection or in all; and the same as a file. One URL is a calendar's (calendar.h).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/cdx/query.h"
#include "caddis/cdxserver/query_answer.h"
#include "caddis/http/server.h"
#include "caddis/pages/pages.h"
#include "caddis/replay/capture_rows.h"
#include "caddis/replay/collection.h"

namespace caddis::replay {

// A question to the index.
struct Search {
  SearchForm form;    // `match` is exact, prefix, host or domain, `url` without '*'
  std::string after;  // the key behind which this page begins; empty: at the beginning
};

// From a query string: url, match, from, to, status, type, after. "example.org/*" and "*.example.org" say by themselves
// what is meant. ErrorCode::parse with what is missing or wrong.
Result<Search> parse_search(std::string_view query_string, std::string_view collection);
Result<cdx::Query> query_of(const Search& search);

// One page of results of each collection.
Result<std::unique_ptr<http::BodySource>> search_body(const std::vector<Collection*>& collections, Search search,
                                                      pages::Writer writer);

// All results: "cdxj", "csv", or "urls" (each URL once), as a download. ErrorCode::parse for other forms. A download that
// fails at once is a page of the writer that tells so.
Result<http::ServerResponse> export_results(Collection& collection, const Search& search, std::string_view form,
                                            const pages::Writer& writer, const cdxserver::AnswerLimits& limits);

inline constexpr size_t kListedUrls = 100;       // on a page
inline constexpr size_t kListedUrlsOfMany = 20;  // of each of several collections

}  // namespace caddis::replay
