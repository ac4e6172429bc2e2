#include "caddis/extract/list_links.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/extract/plan.h"
#include "caddis/feeds/sitemap.h"
#include "caddis/feeds/xml_reader.h"
#include "caddis/io/content_codec.h"
#include "caddis/url/percent.h"

namespace caddis::extract {
namespace {

using feeds::XmlReader;

// The query of `url` with other values for some parameters; an empty value takes one away.
std::string query_with(const url::Url& url, const std::vector<std::pair<std::string_view, std::string>>& changes) {
  std::string query;
  const auto append = [&query](std::string_view pair) {
    query += query.empty() ? '?' : '&';
    query += pair;
  };
  const std::string_view search = url.search();
  for (const std::string_view pair : split(search.substr(std::min<size_t>(1, search.size())), '&')) {
    const std::string_view name = pair.substr(0, pair.find('='));
    bool is_changed = pair.empty();
    for (const auto& change : changes) is_changed |= change.first == name;
    if (!is_changed) append(pair);
  }
  for (const auto& [name, value] : changes)
    if (!value.empty()) append(std::string(name) + "=" + escape_component(value));
  return query;
}

// The kinds of listing, by the names of their elements.
struct Names {
  std::string_view object, key, prefix, prefix_key;
  std::string_view latest = {};  // says behind the key whether this version is what is there now
};
constexpr Names kS3 = {"Contents", "Key", "CommonPrefixes", "Prefix"};
constexpr Names kS3Versions = {"Version", "Key", "CommonPrefixes", "Prefix", "IsLatest"};
constexpr Names kAzure = {"Blob", "Name", "BlobPrefix", "Name"};

const Names& names_of(std::string_view root) {
  if (root == "EnumerationResults") return kAzure;
  return root == "ListVersionsResult" ? kS3Versions : kS3;
}

class Listing {
 public:
  explicit Listing(LinkSink& sink) : sink_(sink) {
    const url::Url& url = sink.document_url();
    folder_ = url.pathname();
    if (!folder_.ends_with('/')) folder_ += '/';
  }

  void read(std::string_view source) {
    is_encoded_ = source.contains("EncodingType>url</");  // before the keys or, as MinIO has it, behind them
    XmlReader xml(source);
    for (auto event = xml.next(); event != XmlReader::Event::finished; event = xml.next()) {
      if (event == XmlReader::Event::start) {
        if (xml.depth() == 1) names_ = names_of(xml.local_name());
        if (xml.local_name() == names_.object || xml.local_name() == names_.prefix) within_ = xml.local_name();
        text_.clear();
      } else if (event == XmlReader::Event::text) {
        constexpr size_t kMaxText = 16 * 1024;
        if (text_.size() < kMaxText) text_ += xml.text();
      } else {
        finish(xml.local_name(), xml.depth());
        text_.clear();
      }
    }
    add_next();
  }

 private:
  void finish(std::string_view name, size_t depth) {
    if (within_ == names_.object && name == names_.key && !text_.empty()) {
      last_ = plain(text_);
      return names_.latest.empty() ? add_object() : void();
    }
    if (within_ == names_.object && name == names_.latest && trim(text_) == "true") return add_object();
    if (within_ == names_.prefix && name == names_.prefix_key && !text_.empty()) return add_prefix();
    if (name == within_) return within_.clear();
    if (depth != 2) return;
    if (name == "IsTruncated") is_cut_ = trim(text_) == "true";
    if (name == "NextContinuationToken" || name == "NextMarker")
      (name == "NextMarker" ? marker_ : token_) = trim(text_);
    if (name == "NextKeyMarker") key_marker_ = trim(text_);
    if (name == "NextVersionIdMarker") version_marker_ = trim(text_);
  }

  // <EncodingType>url: keys, prefixes and markers are written as in forms, with '+' for a space.
  std::string plain(std::string text) const {
    if (!is_encoded_) return text;
    std::ranges::replace(text, '+', ' ');
    return url::percent_decode(text);
  }

  // Keys are texts: what has a meaning in URLs is escaped.
  static std::string path_of(std::string_view key) {
    std::string path;
    url::append_escaped(path, key, kKey);
    return path;
  }

  // A key that ends in '/' stands for a folder.
  void add_object() {
    if (last_.ends_with('/')) return;
    sink_.add_to(sink_.document_url(), folder_ + path_of(last_), Hop::navlink, kNavlinkMisc, {});
  }

  void add_prefix() {
    const std::vector<std::pair<std::string_view, std::string>> changes = {
        {"prefix", plain(text_)}, {"marker", ""},     {"continuation-token", ""},
        {"start-after", ""},      {"key-marker", ""}, {"version-id-marker", ""}};
    add_query(query_with(sink_.document_url(), changes));
  }

  void add_query(const std::string& query) {
    sink_.add_to(sink_.document_url(), query, Hop::navlink, kNavlinkMisc, {});
  }

  void add_next() {
    if (!token_.empty()) return add_query(query_with(sink_.document_url(), {{"continuation-token", token_}}));
    if (!key_marker_.empty())
      return add_query(query_with(sink_.document_url(),
                                  {{"key-marker", plain(key_marker_)}, {"version-id-marker", version_marker_}}));
    const std::string marker = marker_.empty() && is_cut_ ? last_ : plain(marker_);
    if (!marker.empty()) add_query(query_with(sink_.document_url(), {{"marker", marker}}));
  }

  static constexpr url::ByteSet kKey = url::kPathSet.with("%+&;@:,$\\[]|'");
  LinkSink& sink_;
  Names names_ = kS3;
  std::string folder_, within_, text_;
  std::string token_, marker_, key_marker_, version_marker_;  // of the next page
  std::string last_;                                          // the key before
  bool is_cut_ = false, is_encoded_ = false;
};

}  // namespace

void extract_sitemap(std::string_view body, const Plan& plan, LinkSink& sink) {
  sink.set_max_links(plan.options().max_sitemap_links);
  // Sitemaps are also served as gzip files, which is no content coding.
  std::string unpacked;
  if (body.starts_with("\x1F\x8B")) {
    io::Decoded decoded = io::decode_content(body, "gzip", kMaxSitemap);
    unpacked = std::move(decoded.bytes);
    const bool is_limit = unpacked.size() >= kMaxSitemap;
    if (is_limit) decoded.problem = fmt::format("only the first {} bytes of the packed sitemap are read", kMaxSitemap);
    if (!decoded.complete) sink.leave_unread(std::move(decoded.problem), !is_limit);
  }
  const auto sitemap = feeds::parse_sitemap(unpacked.empty() ? body : std::string_view(unpacked));
  if (!sitemap) return;
  const auto is_old = [&plan](const feeds::SitemapEntry& entry) {
    return plan.newer_than() && entry.lastmod_end && *entry.lastmod_end < *plan.newer_than();
  };
  for (const feeds::SitemapEntry& entry : sitemap->entries) {
    if (is_old(entry)) continue;
    sink.add(entry.loc, Hop::manifest, kManifestMisc);
    for (const std::string& alternate : entry.alternates) sink.add(alternate, Hop::manifest, kManifestMisc);
  }
  // Last: at the limit, pages matter more.
  for (const feeds::SitemapEntry& entry : sitemap->entries) {
    if (is_old(entry)) continue;
    for (const std::string& embed : entry.embeds) sink.add(embed, Hop::embed, kManifestMisc);
  }
}

void extract_listing(std::string_view source, LinkSink& sink) { Listing(sink).read(source); }

}  // namespace caddis::extract
