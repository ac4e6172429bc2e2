// XML is walked once: elements of an item are known by their local names and, where several vocabularies share a name, by
// their prefix. JSON is parsed as a whole.

#include "caddis/feeds/feed.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/base/utf8.h"
#include "caddis/feeds/feed_date.h"
#include "caddis/feeds/xml_reader.h"

namespace caddis::feeds {
namespace {

std::string_view without_mark(std::string_view body) {
  return body.starts_with("\xEF\xBB\xBF") ? body.substr(3) : body;
}

// UTF-16 with a byte order mark, whose letters beyond ASCII mean nothing to a reader of links and dates; others as
// they are.
std::string plain(std::string_view body) {
  const bool is_little = body.starts_with("\xFF\xFE"), is_big = body.starts_with("\xFE\xFF");
  if (!is_little && !is_big) return std::string(without_mark(body));
  std::string out;
  for (size_t i = 2; i + 1 < body.size(); i += 2) {
    const char high = body[i + (is_little ? 1 : 0)], low = body[i + (is_little ? 0 : 1)];
    out += high == 0 && static_cast<unsigned char>(low) < 0x80 ? low : '?';
  }
  return out;
}

bool is_web_address(std::string_view text) {
  return starts_with_ignore_case(text, "http://") || starts_with_ignore_case(text, "https://");
}

// The text where a URL is meant, resolved; empty if it is none that can be crawled.
std::string resolve(std::string_view written, const url::Url& base, const FeedLimits& limits) {
  written = trim(written);
  if (written.empty() || written.size() > limits.max_text) return "";
  const bool is_bare = starts_with_ignore_case(written, "www.");
  const auto url = url::Url::parse(is_bare ? "http://" + std::string(written) : std::string(written), &base);
  if (!url || !url->is_http()) return "";
  return std::string(url->href());
}

// The elements that say something about an item. Later rows of `kWords` are weaker.
enum class Word { link, id, published, updated, enclosure, none };

Word word_of(const XmlReader& xml) {
  const std::string_view prefix = xml.prefix(), name = xml.local_name();
  // media:link, itunes:…, feedburner:origLink and the like are of others.
  const bool is_own = prefix.empty() || prefix == "rss" || prefix == "atom" || prefix == "a10" || prefix == "atom10" ||
                      prefix == "a" || prefix == "ns0" || prefix == "rdf";
  if (prefix == "dc" && name == "date") return Word::published;
  if ((prefix == "dcterms" || prefix == "dc") && (name == "modified")) return Word::updated;
  if ((prefix == "dcterms" || prefix == "dc") && (name == "issued" || name == "created")) return Word::published;
  if (!is_own) return Word::none;
  if (name == "link") return Word::link;
  if (name == "enclosure") return Word::enclosure;
  if (name == "guid" || name == "id") return Word::id;
  if (equals_ignore_case(name, "pubDate") || name == "published" || name == "issued" || name == "created" ||
      name == "date")
    return Word::published;
  if (name == "updated" || name == "modified") return Word::updated;
  return Word::none;
}

class Collector {
 public:
  Collector(const url::Url& base, const FeedLimits& limits, FeedKind kind)
      : base_(base), limits_(limits), kind_(kind) {}

  void start(const XmlReader& xml) {
    push_base(xml);
    if (item_depth_ == 0) {
      const std::string_view name = xml.local_name();
      if (name == "item" || name == "entry") return begin_item(xml);
      if (name == "title" && title_.empty() && xml.depth() <= 3) begin_field(xml.depth(), Word::none);
      return;
    }
    if (field_depth_ != 0 || xml.depth() != item_depth_ + 1) return;
    const Word word = word_of(xml);
    if (word == Word::none) return;
    if (word == Word::enclosure) return take_enclosure(xml.attribute(kind_ == FeedKind::rdf ? "rdf:resource" : "url"));
    if (word == Word::link && take_attribute_link(xml)) return;
    is_permalink_ = !equals_ignore_case(xml.attribute("isPermaLink"), "false");
    begin_field(xml.depth(), word);
  }

  void text(const XmlReader& xml) {
    if (field_depth_ == 0 || xml.depth() != field_depth_) return;
    if (text_.size() <= limits_.max_text) text_ += xml.text().substr(0, limits_.max_text + 1);
  }

  void end(const XmlReader& xml) {
    if (field_depth_ == xml.depth()) end_field();
    if (item_depth_ == xml.depth()) end_item();
    while (!bases_.empty() && bases_.back().first >= xml.depth()) bases_.pop_back();
  }

  // A document cut short: an item whose link and identity are there may still lack its date, and is left out.
  bool is_full() const { return items_.size() >= limits_.max_items; }
  std::vector<FeedItem> take_items() { return std::move(items_); }
  std::string title() const { return title_; }

 private:
  void push_base(const XmlReader& xml) {
    const std::string written = xml.attribute("xml:base");
    if (written.empty()) return;
    if (auto url = url::Url::parse(trim(written), &base())) bases_.emplace_back(xml.depth(), *std::move(url));
  }
  const url::Url& base() const { return bases_.empty() ? base_ : bases_.back().second; }

  void begin_item(const XmlReader& xml) {
    item_depth_ = xml.depth();
    item_ = FeedItem();
    spare_ = {};
    if (kind_ == FeedKind::rdf) item_.id = xml.attribute("rdf:about").substr(0, limits_.max_text);
  }

  void begin_field(size_t depth, Word word) {
    field_depth_ = depth;
    field_ = word;
    text_.clear();
  }

  // Atom's <link href rel>: the page that the entry is about is `alternate`, or has no rel. Returns whether it is one.
  bool take_attribute_link(const XmlReader& xml) {
    const std::string href = xml.attribute("href");
    if (href.empty()) return false;
    const std::string rel = xml.attribute("rel"), type = xml.attribute("type");
    const std::string url = resolve(href, base(), limits_);
    const bool is_page = rel.empty() || equals_ignore_case(rel, "alternate");
    const bool is_html = type.empty() || contains_ignore_case(type, "html");
    if (is_page && is_html && (item_.link.empty() || !has_page_)) {
      item_.link = url;
      has_page_ = !url.empty();
    } else if ((is_page || equals_ignore_case(rel, "related")) && spare_.related.empty()) {
      spare_.related = url;
    } else if (equals_ignore_case(rel, "enclosure")) {
      take_enclosure(href);
    }
    return true;
  }

  // A recording, as podcasts have it: what the item is if it has no page.
  void take_enclosure(std::string_view written) {
    if (spare_.enclosure.empty()) spare_.enclosure = resolve(written, base(), limits_);
  }

  void end_field() {
    field_depth_ = 0;
    const std::string_view value = trim(text_);
    if (item_depth_ == 0) {
      title_ = std::string(value.substr(0, limits_.max_text));
      return;
    }
    switch (field_) {
      case Word::link:
        if (item_.link.empty()) item_.link = resolve(value, base(), limits_);
        break;
      case Word::id:
        item_.id = std::string(value.substr(0, limits_.max_text));
        if (is_permalink_ && is_web_address(value)) spare_.guid = resolve(value, base(), limits_);
        break;
      case Word::published:
        if (!item_.published) item_.published = parse_feed_date(value);
        break;
      case Word::updated:
        if (!item_.updated) item_.updated = parse_feed_date(value);
        break;
      case Word::enclosure:
      case Word::none:
        break;
    }
  }

  void end_item() {
    item_depth_ = 0;
    has_page_ = false;
    if (item_.link.empty()) item_.link = spare_.guid.empty() ? spare_.related : spare_.guid;
    if (item_.link.empty() && kind_ == FeedKind::rdf && is_web_address(item_.id))
      item_.link = resolve(item_.id, base(), limits_);
    if (item_.link.empty()) item_.link = spare_.enclosure;
    if ((!item_.link.empty() || !item_.id.empty()) && !is_full()) items_.push_back(std::move(item_));
  }

  const url::Url& base_;
  const FeedLimits& limits_;
  const FeedKind kind_;
  std::vector<std::pair<size_t, url::Url>> bases_;  // by depth
  std::vector<FeedItem> items_;
  std::string title_;
  FeedItem item_;
  struct {
    std::string related, guid, enclosure;
  } spare_;  // links that an item has if it names no page
  std::string text_;
  size_t item_depth_ = 0, field_depth_ = 0;
  Word field_ = Word::none;
  bool is_permalink_ = true, has_page_ = false;
};

// The kind that the root element names.
std::optional<FeedKind> kind_of(const XmlReader& xml) {
  const std::string_view name = xml.local_name();
  if (equals_ignore_case(name, "rss")) return FeedKind::rss;
  if (equals_ignore_case(name, "RDF")) return FeedKind::rdf;
  if (equals_ignore_case(name, "feed")) return FeedKind::atom;
  // Feeds of the year 2000 without a root of their own.
  if (equals_ignore_case(name, "channel")) return FeedKind::rss;
  return std::nullopt;
}

std::string version_of(const XmlReader& xml, FeedKind kind) {
  std::string written = xml.attribute("version");
  if (!written.empty()) return written.substr(0, 20);
  if (kind == FeedKind::rdf)
    return xml.attribute("xmlns").find("my.netscape.com/rdf/simple/0.9") != std::string::npos ? "0.90" : "1.0";
  return kind == FeedKind::atom ? "1.0" : "";
}

Result<Feed> parse_xml(std::string_view body, const url::Url& base, const FeedLimits& limits) {
  XmlReader xml(body);
  XmlReader::Event event = xml.next();
  while (event == XmlReader::Event::text) event = xml.next();
  if (event != XmlReader::Event::start) return fail(ErrorCode::parse, "it is no XML with an element");
  const auto kind = kind_of(xml);
  if (!kind)
    return fail(ErrorCode::parse, fmt::format("its root element is <{}>, which is that of no feed",
                                              std::string(xml.name().substr(0, 40))));
  Feed feed;
  feed.kind = *kind;
  feed.version = version_of(xml, *kind);
  Collector collector(base, limits, *kind);
  collector.start(xml);
  while (!collector.is_full()) {
    event = xml.next();
    if (event == XmlReader::Event::finished) break;
    if (event == XmlReader::Event::start)
      collector.start(xml);
    else if (event == XmlReader::Event::end)
      collector.end(xml);
    else
      collector.text(xml);
  }
  feed.cut = collector.is_full() || xml.broken();
  feed.items = collector.take_items();
  feed.title = collector.title();
  if (feed.items.empty() && xml.broken()) return fail(ErrorCode::parse, "it is broken off before its first item");
  return feed;
}

std::string text_of(const nlohmann::json& object, const char* name, size_t most) {
  const auto found = object.find(name);
  if (found == object.end()) return "";
  if (found->is_string()) return found->get_ref<const std::string&>().substr(0, most);
  return found->is_number_integer() ? found->dump().substr(0, most) : "";
}

std::string attachment_of(const nlohmann::json& entry, const url::Url& base, const FeedLimits& limits) {
  const auto all = entry.find("attachments");
  if (all == entry.end() || !all->is_array()) return "";
  for (const auto& one : *all)
    if (one.is_object())
      if (std::string url = resolve(text_of(one, "url", limits.max_text + 1), base, limits); !url.empty()) return url;
  return "";
}

FeedItem json_item(const nlohmann::json& entry, const url::Url& base, const FeedLimits& limits) {
  FeedItem item;
  item.id = text_of(entry, "id", limits.max_text);
  item.link = resolve(text_of(entry, "url", limits.max_text + 1), base, limits);
  if (item.link.empty() && is_web_address(item.id)) item.link = resolve(item.id, base, limits);
  if (item.link.empty()) item.link = resolve(text_of(entry, "external_url", limits.max_text + 1), base, limits);
  if (item.link.empty()) item.link = attachment_of(entry, base, limits);
  item.published = parse_feed_date(text_of(entry, "date_published", 200));
  item.updated = parse_feed_date(text_of(entry, "date_modified", 200));
  return item;
}

Result<Feed> parse_json(std::string_view body, const url::Url& base, const FeedLimits& limits) {
  const auto json = nlohmann::json::parse(body, nullptr, false);
  if (json.is_discarded()) return fail(ErrorCode::parse, "it begins as JSON, and is none");
  const auto version = json.is_object() ? json.find("version") : json.end();
  const bool is_feed = json.is_object() && version != json.end() && version->is_string() &&
                       version->get_ref<const std::string&>().find("jsonfeed.org") != std::string::npos;
  if (!is_feed) return fail(ErrorCode::parse, "it is JSON without the version of a JSON Feed");
  Feed feed;
  feed.kind = FeedKind::json;
  const std::string& written = version->get_ref<const std::string&>();
  feed.version = written.substr(written.rfind('/') + 1).substr(0, 20);
  feed.title = text_of(json, "title", limits.max_text);
  const auto items = json.find("items");
  if (items == json.end() || !items->is_array()) return fail(ErrorCode::parse, "it is a JSON Feed without items");
  for (const auto& entry : *items) {
    if (!entry.is_object()) continue;
    if (feed.items.size() == limits.max_items) {
      feed.cut = true;
      break;
    }
    FeedItem item = json_item(entry, base, limits);
    if (!item.link.empty() || !item.id.empty()) feed.items.push_back(std::move(item));
  }
  return feed;
}

}  // namespace

std::string_view to_string(FeedKind kind) {
  switch (kind) {
    case FeedKind::rss:
      return "RSS";
    case FeedKind::rdf:
      return "RSS (RDF)";
    case FeedKind::atom:
      return "Atom";
    case FeedKind::json:
      return "JSON Feed";
  }
  return "";
}

Result<Feed> parse_feed(std::string_view body, const url::Url& base, const FeedLimits& limits) {
  const bool is_long = body.size() > limits.max_bytes;
  const std::string text = plain(body.substr(0, limits.max_bytes));
  const std::string_view trimmed = trim(text);
  if (trimmed.empty()) return fail(ErrorCode::parse, "it is empty");
  auto feed = trimmed.front() == '{' ? parse_json(trimmed, base, limits) : parse_xml(trimmed, base, limits);
  if (feed && is_long) feed->cut = true;
  return feed;
}

}  // namespace caddis::feeds
