// Where extractors put what they find: resolves, keeps what a crawler can fetch, drops repeats, minds the limits.
// Internal to extract. One sink per document, one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/extract/extract.h"
#include "caddis/url/query_encoder.h"
#include "caddis/url/url.h"

namespace caddis::extract {

// Contexts of links that stand in no attribute, as Heritrix names them.
inline constexpr std::string_view kEmbedMisc = "=EMBED_MISC";
inline constexpr std::string_view kJsMisc = "=JS_MISC";
inline constexpr std::string_view kInferredMisc = "=INFERRED_MISC";
inline constexpr std::string_view kSpeculativeMisc = "=SPECULATIVE_MISC";
inline constexpr std::string_view kManifestMisc = "=MANIFEST_MISC";
inline constexpr std::string_view kNavlinkMisc = "=NAVLINK_MISC";

class LinkSink {
 public:
  // `out.links` is filled, behind those there are; `document` and `options` are borrowed.
  LinkSink(const Document& document, const Options& options, Extracted& out);

  // The URL of the document is absolute and http(s); without that nothing can be resolved or kept.
  bool usable() const { return document_url_.has_value(); }
  const url::Url& document_url() const { return *document_url_; }
  const url::Url& base() const { return base_ ? *base_ : *document_url_; }

  // Takes `href` (resolved against the document's URL) as the base for all that follows.
  void set_base(std::string_view href);
  void set_base(url::Url base) { base_ = std::move(base); }
  // The encoding of the document, in which query strings are written.
  void set_charset(std::string_view encoding) { charset_ = encoding; }
  void set_max_links(size_t max) { max_links_ = max; }
  // No further link is kept.
  bool is_full() const { return out_.links.size() >= max_links_; }
  // Counts links that were not even made, because of a limit.
  void count_dropped(size_t links = 1) { out_.dropped += links; }
  // Says that a part of the document is not read, for a limit or as it is damaged. The first word stands.
  void leave_unread(std::string why, bool is_damaged = false);
  // The bytes of the longest text that is taken for a link.
  size_t longest() const { return 2 * options_.max_url_length; }
  // Whether so many bytes more may go into URLs that are put together (variables, templates): a small document may ask
  // for very many. The limit is far beyond what the links that are allowed need; reaching it counts as one dropped.
  bool may_write(size_t bytes);

  const std::vector<Link>& links() const { return out_.links; }
  // Adds a link of a document within this one.
  void add_link(Link link) { keep(std::move(link.target), link.hop, link.context, {}); }
  // Takes out the links whose index is marked.
  void remove(const std::vector<bool>& marked);

  // Adds the link `raw`. Its context is `context`, or "element/@attribute".
  void add(std::string_view raw, Hop hop, std::string_view context) { add_to(base(), raw, hop, context, {}); }
  void add(std::string_view raw, Hop hop, std::string_view element, std::string_view attribute) {
    add_to(base(), raw, hop, element, attribute);
  }
  // The same of a text that is_sure_url() takes for a URL: "www.…" lacks its scheme.
  void add_sure(std::string_view text, Hop hop, std::string_view element, std::string_view attribute = {});
  void add_to(const url::Url& base, std::string_view raw, Hop hop, std::string_view element,
              std::string_view attribute);

 private:
  bool is_within_writing() const;
  const url::QueryEncoder* encoder_for(std::string_view raw);
  void note_bad(std::string_view raw, std::string why);
  void keep(url::Url target, Hop hop, std::string_view element, std::string_view attribute);
  uint32_t& find_slot(std::string_view href, Hop hop);
  void fill_table(size_t size);

  const Options& options_;
  Extracted& out_;
  std::optional<url::Url> document_url_;
  std::optional<url::Url> base_;
  std::string_view charset_ = "UTF-8";
  std::unique_ptr<url::QueryEncoder> encoder_;
  bool encoder_made_ = false;
  size_t max_links_;
  size_t written_ = 0;           // bytes of URLs that were put together
  std::vector<uint32_t> table_;  // open addressing: 1 + index into out_.links, 0 for free
};

// `raw` without the white space that a URL parser ignores at both ends.
std::string_view trim_url(std::string_view raw);
// Whether it begins with a scheme that is never fetched (data:, javascript:, mailto:, …), or names only a place in this
// page.
bool is_no_link(std::string_view raw);
// `text` as the value of a parameter of a query: all that has a meaning in URLs is escaped.
std::string escape_component(std::string_view text);

}  // namespace caddis::extract
