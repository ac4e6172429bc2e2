// Feeds: RSS 0.90 to 2.0 (https://www.rssboard.org/rss-specification, RDF of 0.90 and 1.0 included), Atom 0.3 and 1.0
// (RFC 4287), and JSON Feed 1.0 and 1.1 (https://www.jsonfeed.org/version/1.1/).
//
// Reads what real sites serve: namespaces left out or other prefixes, HTML entities, dates of every form, several links in
// an item, links that are relative or stand in the guid, xml:base, a file cut short. DTDs are not read, no file is ever
// opened. A pure function over borrowed bytes, whose content codings are undone; limits bound what it keeps.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/url/url.h"

namespace caddis::feeds {

enum class FeedKind { rss, rdf, atom, json };
// "RSS"
std::string_view to_string(FeedKind kind);

struct FeedItem {
  std::string link;  // an absolute URL: of its page, or of its enclosure if it has none; empty if it has neither
  std::string id;    // guid, atom:id, rdf:about; as written, may be empty
  std::optional<WallTime> published, updated;

  // The date by which it is new: of its last change if the feed says it.
  std::optional<WallTime> date() const { return updated ? updated : published; }
};

struct Feed {
  FeedKind kind = FeedKind::rss;
  std::string version;  // as written: "2.0", "1.0"
  std::string title;
  std::vector<FeedItem> items;  // in their order
  bool cut = false;             // ended before its end, was not well-formed from some point on, or was over a limit
};

struct FeedLimits {
  size_t max_bytes = 32u << 20;
  size_t max_items = 10'000;
  size_t max_text = 8'192;  // longer links are left out, longer ids and titles cut
};

// `base`: the URL that the feed was received from. Fails on what is no feed at all; ErrorCode::parse says why.
Result<Feed> parse_feed(std::string_view body, const url::Url& base, const FeedLimits& limits = {});

}  // namespace caddis::feeds
