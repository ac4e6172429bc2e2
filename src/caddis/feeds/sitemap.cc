#include "caddis/feeds/sitemap.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/feeds/xml_reader.h"

namespace caddis::feeds {
namespace {

std::string_view without_mark(std::string_view body) {
  return body.starts_with("\xEF\xBB\xBF") ? body.substr(3) : body;
}

// White space as word processors leave it: U+00A0, U+2000 to U+200B, U+202F, U+3000, U+FEFF.
bool is_wide_space(std::string_view sequence) {
  if (sequence.size() == 3 && sequence.starts_with("\xE2\x80"))
    return static_cast<unsigned char>(sequence[2]) <= 0x8B || sequence[2] == '\xAF';
  return sequence == "\xC2\xA0" || sequence == "\xE3\x80\x80" || sequence == "\xEF\xBB\xBF";
}

std::string_view trim_widely(std::string_view text) {
  for (bool again = true; again;) {
    again = false;
    text = trim(text);
    for (size_t length : {size_t{2}, size_t{3}}) {
      if (text.size() < length) break;
      if (is_wide_space(text.substr(0, length)))
        text.remove_prefix(length), again = true;
      else if (is_wide_space(text.substr(text.size() - length)))
        text.remove_suffix(length), again = true;
    }
  }
  return text;
}

// "www.example.com/" is meant as a URL, though it is none.
std::string as_url(std::string_view text) {
  text = trim_widely(text);
  return (starts_with_ignore_case(text, "www.") ? "http://" : "") + std::string(text);
}

ChangeFrequency frequency_of(std::string_view text) {
  constexpr std::pair<std::string_view, ChangeFrequency> kNames[] = {
      {"always", ChangeFrequency::always}, {"hourly", ChangeFrequency::hourly},   {"daily", ChangeFrequency::daily},
      {"weekly", ChangeFrequency::weekly}, {"monthly", ChangeFrequency::monthly}, {"yearly", ChangeFrequency::yearly},
      {"never", ChangeFrequency::never}};
  for (const auto& [name, frequency] : kNames) {
    if (equals_ignore_case(text, name)) return frequency;
  }
  return ChangeFrequency::unknown;
}

double priority_of(std::string_view text) {
  double priority = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), priority);
  return error == std::errc() && priority >= 0 && priority <= 1 ? priority : 0.5;
}

// The end of the day, month or year that a date without a time stands for; any other date is that moment.
WallTime end_of_date(std::string_view text, WallTime begin) {
  using namespace std::chrono;
  const year_month_day date(floor<days>(begin));
  const auto end_of_day = [](sys_days day) { return WallTime(day + days(1)) - microseconds(1); };
  if (text.size() == 4) return end_of_day(sys_days(date.year() / December / 31));
  if (text.size() == 7) return end_of_day(sys_days(date.year() / date.month() / last));
  return text.size() == 10 ? end_of_day(sys_days(date)) : begin;
}

// Builds entries from the events below a root element.
class Collector {
 public:
  Collector(const SitemapLimits& limits, std::string_view prefix) : limits_(limits), prefix_(prefix) {}

  void start(const XmlReader& xml) {
    if (xml.depth() == 2) entry_ = SitemapEntry(), stray_text_.clear();
    if (xml.depth() <= 2) return;
    const bool own = xml.prefix() == prefix_;
    const std::string_view name = xml.local_name();
    if (!own && name == "link" && equals_ignore_case(xml.attribute("rel"), "alternate"))
      add_link(entry_.alternates, xml.attribute("href"));
    if (field_depth_ != 0) return;  // inside a field: its text goes on
    const bool is_field =
        own ? xml.depth() == 3 && (name == "loc" || name == "lastmod" || name == "changefreq" || name == "priority")
            : name == "loc" || name.ends_with("_loc");
    if (!is_field) return;
    field_depth_ = xml.depth();
    field_is_own_ = own;
    text_.clear();
  }

  void text(const XmlReader& xml) {
    std::string& into = field_depth_ != 0 ? text_ : stray_text_;
    const bool wanted = field_depth_ != 0 || xml.depth() == 2;
    // Longer texts are no field of a sitemap; how much longer does not matter.
    if (wanted && into.size() <= limits_.max_url_length) into += xml.text().substr(0, limits_.max_url_length + 1);
  }

  void end(const XmlReader& xml) {
    if (field_depth_ != 0 && xml.depth() == field_depth_)
      finish_field(xml.local_name());
    else if (xml.depth() == 2)
      finish_entry();
  }

  // The end of a document cut short: what is known of the entry at hand.
  void finish() {
    if (field_depth_ != 0 && field_is_own_ && entry_.loc.empty() && text_.find("://") != text_.npos)
      entry_.loc = as_url(text_);
    if (!entry_.loc.empty()) finish_entry();
  }
  bool full() const { return full_; }
  std::vector<SitemapEntry> take() { return std::move(entries_); }

 private:
  void finish_field(std::string_view name) {
    field_depth_ = 0;
    const std::string_view value = trim_widely(text_);
    if (!field_is_own_) return add_link(entry_.embeds, as_url(value));
    if (name == "loc") {
      if (!entry_.loc.empty()) finish_entry();
      entry_.loc = as_url(value);
    } else if (name == "lastmod") {
      if (auto date = parse_w3c_date(value)) {
        entry_.lastmod = *date;
        entry_.lastmod_end = end_of_date(value, *date);
      }
    } else if (name == "changefreq") {
      entry_.changefreq = frequency_of(value);
    } else {
      entry_.priority = priority_of(value);
    }
  }

  void add_link(std::vector<std::string>& links, std::string link) {
    const bool room = entry_.embeds.size() + entry_.alternates.size() < limits_.max_links_per_entry;
    if (room && !link.empty() && link.size() <= limits_.max_url_length) links.push_back(std::move(link));
  }

  void finish_entry() {
    if (entry_.loc.empty() && stray_text_.find("://") != stray_text_.npos) entry_.loc = as_url(stray_text_);
    stray_text_.clear();
    SitemapEntry entry = std::exchange(entry_, {});
    if (entry.loc.empty() || entry.loc.size() > limits_.max_url_length) return;
    full_ = entries_.size() >= limits_.max_entries;
    if (!full_) entries_.push_back(std::move(entry));
  }

  const SitemapLimits& limits_;
  std::string_view prefix_;  // of the sitemap's own elements; any other is an extension
  std::vector<SitemapEntry> entries_;
  SitemapEntry entry_;
  std::string text_, stray_text_;
  size_t field_depth_ = 0;  // of the field being read, 0 outside
  bool field_is_own_ = false, full_ = false;
};

Result<SitemapKind> kind_of_root(std::string_view root) {
  if (root == "urlset") return SitemapKind::url_set;
  if (root == "sitemapindex") return SitemapKind::index;
  if (root == "rss" || root == "RDF" || root == "feed") {
    return fail(ErrorCode::unsupported, "this is a feed (<" + std::string(root) + ">), not a sitemap");
  }
  return fail(ErrorCode::parse, "the root element <" + std::string(root.substr(0, 40)) + "> is that of no sitemap");
}

Result<Sitemap> parse_xml(std::string_view body, const SitemapLimits& limits) {
  XmlReader xml(body);
  XmlReader::Event event = xml.next();
  while (event == XmlReader::Event::text) event = xml.next();
  if (event != XmlReader::Event::start) return fail(ErrorCode::parse, "no element: this is no sitemap");

  Sitemap sitemap;
  TRY(sitemap.kind, kind_of_root(xml.local_name()));
  Collector collector(limits, xml.prefix());
  while (!collector.full() && (event = xml.next()) != XmlReader::Event::finished) {
    if (event == XmlReader::Event::start)
      collector.start(xml);
    else if (event == XmlReader::Event::text)
      collector.text(xml);
    else
      collector.end(xml);
  }
  collector.finish();
  sitemap.cut = xml.broken() || collector.full();
  sitemap.entries = collector.take();
  if (xml.broken() && sitemap.entries.empty()) return fail(ErrorCode::parse, "the XML breaks before its first entry");
  return sitemap;
}

// One URL a line; anything else on a line means that this is another kind of text.
Result<Sitemap> parse_text(std::string_view body, const SitemapLimits& limits) {
  Sitemap sitemap;
  sitemap.kind = SitemapKind::text;
  for (size_t start = 0; start < body.size();) {
    const size_t end = std::min(body.find_first_of("\r\n", start), body.size());
    const std::string url = as_url(body.substr(start, end - start));
    start = end + 1;
    const bool is_url = starts_with_ignore_case(url, "http://") || starts_with_ignore_case(url, "https://");
    if (!is_url || url.find_first_of(" \t<>") != url.npos || url.size() > limits.max_url_length) continue;
    sitemap.cut = sitemap.entries.size() >= limits.max_entries;
    if (sitemap.cut) break;
    sitemap.entries.emplace_back().loc = url;
  }
  if (sitemap.entries.empty()) return fail(ErrorCode::parse, "neither XML nor a list of URLs: this is no sitemap");
  return sitemap;
}

}  // namespace

Result<Sitemap> parse_sitemap(std::string_view body, const SitemapLimits& limits) {
  const bool too_long = body.size() > limits.max_bytes;
  const std::string_view read = trim_widely(without_mark(body.substr(0, limits.max_bytes)));
  if (read.starts_with("\x1F\x8B")) return fail(ErrorCode::unsupported, "the sitemap is gzipped: decode it first");
  TRY(Sitemap sitemap, read.starts_with('<') ? parse_xml(read, limits) : parse_text(read, limits));
  sitemap.cut = sitemap.cut || too_long;
  return sitemap;
}

bool looks_like_sitemap(std::string_view body) {
  XmlReader xml(trim_widely(without_mark(body.substr(0, 4096))));
  XmlReader::Event event = xml.next();
  while (event == XmlReader::Event::text) event = xml.next();
  return event == XmlReader::Event::start && (xml.local_name() == "urlset" || xml.local_name() == "sitemapindex");
}

}  // namespace caddis::feeds
