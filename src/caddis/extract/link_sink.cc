#include "caddis/extract/link_sink.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <string>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/extract/url_guess.h"
#include "caddis/url/crawl_schemes.h"
#include "caddis/url/percent.h"

namespace caddis::extract {

std::string_view trim_url(std::string_view raw) {
  while (!raw.empty() && static_cast<uint8_t>(raw.front()) <= 0x20) raw.remove_prefix(1);
  while (!raw.empty() && static_cast<uint8_t>(raw.back()) <= 0x20) raw.remove_suffix(1);
  return raw;
}

bool is_no_link(std::string_view raw) {
  if (raw.empty() || raw[0] == '#') return true;
  switch (to_lower(raw[0])) {
    case 'a':
      return starts_with_ignore_case(raw, "about:");
    case 'b':
      return starts_with_ignore_case(raw, "blob:");
    case 'd':
      return starts_with_ignore_case(raw, "data:");
    case 'j':
      return starts_with_ignore_case(raw, "javascript:");
    case 'm':
      return starts_with_ignore_case(raw, "mailto:");
    case 't':
      return starts_with_ignore_case(raw, "tel:");
    default:
      return false;
  }
}

std::string escape_component(std::string_view text) {
  static constexpr url::ByteSet kComponent = url::kUserinfoSet.with("%$&+,'");
  std::string out;
  url::append_escaped(out, text, kComponent);
  return out;
}

LinkSink::LinkSink(const Document& document, const Options& options, Extracted& out)
    : options_(options), out_(out), max_links_(options.max_links), table_(64) {
  auto parsed = url::Url::parse(document.url);
  if (parsed && url::can_be_crawled(*parsed)) document_url_ = std::move(*parsed);
  constexpr size_t kUsualLinks = 60;
  out_.links.reserve(kUsualLinks);
  if (!out_.links.empty()) fill_table(std::bit_ceil(std::max(table_.size(), 4 * out_.links.size())));
}

void LinkSink::set_base(std::string_view href) {
  auto parsed = url::Url::parse(href, &document_url(), encoder_for(href));
  if (parsed && url::can_be_crawled(*parsed)) base_ = std::move(*parsed);
}

// The encoder of the document's charset where `raw` has use for it: non-ASCII in a query.
const url::QueryEncoder* LinkSink::encoder_for(std::string_view raw) {
  if (charset_ == "UTF-8") return nullptr;
  size_t at = raw.find('?');
  while (at < raw.size() && static_cast<uint8_t>(raw[at]) < 0x80) ++at;
  if (at >= raw.size()) return nullptr;
  if (!encoder_made_) {
    encoder_made_ = true;
    if (auto made = url::QueryEncoder::create(charset_)) encoder_ = std::move(*made);
  }
  return encoder_.get();
}

void LinkSink::add_to(const url::Url& base, std::string_view raw, Hop hop, std::string_view element,
                      std::string_view attribute) {
  raw = trim_url(raw);
  if (is_no_link(raw)) return;
  if (raw.size() > longest()) {
    ++out_.dropped;
    return;
  }
  auto link = url::Url::parse(raw, &base, encoder_for(raw));
  if (link && link->scheme() == "whois") link = url::Url::parse(url::with_whois_server(link->href()));
  if (!link) return note_bad(raw, std::move(link).error().message);
  if (!url::can_be_crawled(*link)) return note_bad(raw, "unsupported scheme: " + std::string(link->scheme()));
  if (!url::may_lead_to(document_url(), *link)) return note_bad(raw, "only a file: document may lead to files");
  link->drop_fragment();
  keep(std::move(*link), hop, element, attribute);
}

void LinkSink::add_sure(std::string_view text, Hop hop, std::string_view element, std::string_view attribute) {
  text = trim_url(text);
  if (is_www_host(text)) return add("http://" + std::string(text), hop, element, attribute);
  add(text, hop, element, attribute);
}

bool LinkSink::is_within_writing() const {
  constexpr size_t kAlways = 16u << 20, kForLink = 256;
  return written_ <= kAlways || (written_ - kAlways) / kForLink <= max_links_;
}

void LinkSink::leave_unread(std::string why, bool is_damaged) {
  if (!out_.unread.empty()) return;
  out_.unread = std::move(why);
  out_.is_damaged = is_damaged;
}

bool LinkSink::may_write(size_t bytes) {
  if (!is_within_writing()) return false;
  written_ += bytes;
  if (is_within_writing()) return true;
  count_dropped();
  return false;
}

// So many of a document, and so much of each, as tells what is wrong with it.
void LinkSink::note_bad(std::string_view raw, std::string why) {
  constexpr size_t kMost = 100, kShown = 500;
  if (out_.bad.size() < kMost) out_.bad.push_back({std::string(raw.substr(0, kShown)), std::move(why)});
}

void LinkSink::keep(url::Url target, Hop hop, std::string_view element, std::string_view attribute) {
  uint32_t& slot = find_slot(target.href(), hop);
  if (slot != 0) return;
  if (out_.links.size() >= max_links_ || target.href().size() > options_.max_url_length) {
    ++out_.dropped;
    return;
  }
  Link& link = out_.links.emplace_back(std::move(target), hop, std::string(element));
  if (!attribute.empty()) link.context.append("/@").append(attribute);
  slot = static_cast<uint32_t>(out_.links.size());
  if (2 * out_.links.size() > table_.size()) fill_table(2 * table_.size());
}

// The slot of the link where it is known, else the free one that is its place.
uint32_t& LinkSink::find_slot(std::string_view href, Hop hop) {
  const size_t mask = table_.size() - 1;
  size_t at = (std::hash<std::string_view>()(href) + static_cast<size_t>(hop)) & mask;
  while (table_[at] != 0) {
    const Link& link = out_.links[table_[at] - 1];
    if (link.hop == hop && link.url() == href) break;
    at = (at + 1) & mask;
  }
  return table_[at];
}

void LinkSink::fill_table(size_t size) {
  table_.assign(size, 0);
  for (size_t i = 0; i < out_.links.size(); ++i) {
    find_slot(out_.links[i].url(), out_.links[i].hop) = static_cast<uint32_t>(i + 1);
  }
}

void LinkSink::remove(const std::vector<bool>& marked) {
  std::vector<Link> kept;
  kept.reserve(out_.links.size());
  for (size_t i = 0; i < out_.links.size(); ++i)
    if (i >= marked.size() || !marked[i]) kept.push_back(std::move(out_.links[i]));
  out_.links = std::move(kept);
  fill_table(table_.size());
}

}  // namespace caddis::extract
