// Two captures of a URL side by side: their text, source and headers line by line, how they look, and pictures one over
// the other.
#include <algorithm>
#include <array>
#include <optional>

#include "caddis/base/html_text.h"
#include "caddis/base/strings.h"
#include "caddis/base/visible.h"
#include "caddis/http/media_type.h"
#include "caddis/replay/capture_rows.h"
#include "caddis/replay/diff.h"
#include "caddis/replay/frame_page.h"
#include "caddis/replay/own_routes.h"
#include "caddis/replay/page_titles.h"
#include "caddis/replay/stored.h"
#include "caddis/replay/text_lines.h"
#include "caddis/text/encoding.h"
#include "caddis/text/sniff.h"

namespace caddis::replay {
namespace {

using pages::Data;
using pages::Writer;

constexpr size_t kComparedBytes = 1 << 20;
constexpr size_t kComparedLines = 20'000;
constexpr size_t kShownLines = 4'000;
constexpr size_t kContext = 3;  // equal lines around what differs
constexpr size_t kMostOfALine = 4'000;

enum class Way { text, source, headers, rendered, picture };
constexpr std::array<std::string_view, 5> kWays = {"text", "source", "headers", "rendered", "picture"};

// One of the two.
struct Side {
  cdx::Capture capture;
  std::optional<Stored> stored;
  std::string problem;
  std::string type;  // "text/html"
  bool is_cut = false;

  bool is_html() const { return type == "text/html" || type == "application/xhtml+xml"; }
  bool is_picture() const { return type.starts_with("image/"); }
  bool is_text() const {
    if (is_html() || type.starts_with("text/") || type.empty()) return true;
    for (const std::string_view ending : {"json", "xml", "javascript", "ecmascript", "x-sh", "x-httpd-php"})
      if (type.ends_with(ending)) return true;
    return false;
  }
};

Result<std::optional<Side>> read_side(const RequestContext& context, std::string_view url, std::string_view time) {
  TRY(auto capture, capture_at(context.collection, url, time));
  if (!capture) return std::optional<Side>();
  Side side;
  side.capture = *std::move(capture);
  if (auto stored = read_stored(context.collection, side.capture, context.whole)) {
    side.type = http::parse_media_type(stored->content_type).essence;
    side.stored = *std::move(stored);
  } else {
    side.problem = stored.error().message;
    side.type = side.capture.mime;
  }
  return std::optional(std::move(side));
}

// The body without its codings, in UTF-8; uses the side's body up.
std::string text_of(Side& side) {
  if (!side.stored || side.stored->body == nullptr) return {};
  const http::MediaType type = http::parse_media_type(side.stored->content_type);
  FrontReader reader(decoded_body(std::move(side.stored->body), side.stored->content_coding()));
  std::string_view bytes = reader.front(kComparedBytes);
  side.is_cut = bytes.size() > kComparedBytes || !reader.whole();
  bytes = bytes.substr(0, kComparedBytes);
  const auto encoding =
      side.is_html() ? text::sniff_html(bytes, type.charset()) : text::sniff_text(bytes, type.charset());
  std::string storage;
  return std::string(text::to_utf8(bytes, encoding.name, storage));
}

std::vector<std::string> header_lines(const Side& side) {
  std::vector<std::string> lines;
  if (!side.stored || !side.stored->head) return lines;
  const http::ResponseHead& head = *side.stored->head;
  lines.push_back(std::to_string(head.status()) + ' ' + std::string(head.reason()));
  for (const auto field : head) lines.push_back(std::string(field.name) + ": " + std::string(field.value));
  return lines;
}

std::vector<std::string> lines_of(Side& side, Way way) {
  std::vector<std::string> lines;
  if (way == Way::headers) {
    lines = header_lines(side);
  } else {
    const std::string text = text_of(side);
    lines = way == Way::text && side.is_html() ? text_of_html(text) : lines_of_source(text);
  }
  side.is_cut = side.is_cut || lines.size() > kComparedLines;
  if (lines.size() > kComparedLines) lines.resize(kComparedLines);
  for (std::string& line : lines) line = visible(line, kMostOfALine);
  return lines;
}

// Rows of the table of differences.
class DiffTable {
 public:
  DiffTable(const std::vector<std::string>& old_lines, const std::vector<std::string>& new_lines)
      : old_(old_lines.begin(), old_lines.end()), new_(new_lines.begin(), new_lines.end()) {
    const std::vector<Edit> edits = diff(old_, new_);
    for (size_t i = 0; i < edits.size() && rows_.size() < kShownLines;) {
      size_t end = i;
      const bool is_same = edits[i].kind == Edit::Kind::same;
      while (end < edits.size() && (edits[end].kind == Edit::Kind::same) == is_same) ++end;
      if (is_same)
        add_same(edits, i, end);
      else
        add_changes(edits, i, end);
      i = end;
    }
    is_cut_ = rows_.size() >= kShownLines;
    for (const Edit& edit : edits) {
      removed_ += edit.kind == Edit::Kind::removed ? 1 : 0;
      added_ += edit.kind == Edit::Kind::added ? 1 : 0;
    }
  }

  void write_into(Data& page) {
    page.set("is_same", removed_ + added_ == 0);
    page.set("has_lines", removed_ + added_ > 0);
    page.set("removed", removed_);
    page.set("added", added_);
    page.set("lines", std::move(rows_));
  }
  bool is_cut() const { return is_cut_; }

 private:
  void add_same(const std::vector<Edit>& edits, size_t begin, size_t end) {
    const size_t head = begin == 0 ? 0 : kContext, tail = end == edits.size() ? 0 : kContext;
    const bool is_long = end - begin > head + tail + 1;
    for (size_t i = begin; i < end; ++i) {
      if (is_long && i == begin + head) {
        rows_.push_back(Data{{"skipped", end - begin - head - tail}});
        i = end - tail;
        if (i >= end) break;
      }
      const std::string html = html_escape(old_[edits[i].old_at]);
      add_row(edits[i].old_at + 1, "same", html, edits[i].new_at + 1, "same", html);
    }
  }

  // Removed and added lines, those of one place beside each other.
  void add_changes(const std::vector<Edit>& edits, size_t begin, size_t end) {
    std::vector<size_t> gone, come;
    for (size_t i = begin; i < end; ++i)
      (edits[i].kind == Edit::Kind::removed ? gone : come)
          .push_back(edits[i].kind == Edit::Kind::removed ? edits[i].old_at : edits[i].new_at);
    for (size_t i = 0; i < std::max(gone.size(), come.size()) && rows_.size() < kShownLines; ++i) {
      if (i < gone.size() && i < come.size()) {
        MarkedLines marked = mark_words(old_[gone[i]], new_[come[i]]);
        add_row(gone[i] + 1, "removed", std::move(marked.old_html), come[i] + 1, "added", std::move(marked.new_html));
      } else if (i < gone.size()) {
        add_row(gone[i] + 1, "removed", "<del>" + html_escape(old_[gone[i]]) + "</del>", 0, "none", "");
      } else {
        add_row(0, "none", "", come[i] + 1, "added", "<ins>" + html_escape(new_[come[i]]) + "</ins>");
      }
    }
  }

  void add_row(size_t old_number, std::string_view old_kind, std::string old_html, size_t new_number,
               std::string_view new_kind, std::string new_html) {
    rows_.push_back(Data{{"old_number", old_number > 0 ? Data(old_number) : Data()},
                         {"old_kind", old_kind},
                         {"old", Data::Html{std::move(old_html)}},
                         {"new_number", new_number > 0 ? Data(new_number) : Data()},
                         {"new_kind", new_kind},
                         {"new", Data::Html{std::move(new_html)}}});
  }

  std::vector<std::string_view> old_, new_;
  Data::List rows_;
  size_t removed_ = 0, added_ = 0;
  bool is_cut_ = false;
};

std::vector<Way> ways_for(const Side& a, const Side& b) {
  std::vector<Way> ways;
  const bool is_text = a.is_text() && b.is_text();
  if (a.is_picture() && b.is_picture()) ways.push_back(Way::picture);
  if (is_text && (a.is_html() || b.is_html())) ways.push_back(Way::text);
  if (is_text || (a.type == "image/svg+xml" && b.type == a.type)) ways.push_back(Way::source);
  ways.push_back(Way::headers);
  if (is_text) ways.push_back(Way::rendered);
  return ways;
}

Data side_data(const RequestContext& context, const Side& side, const Side& other, bool is_old) {
  const std::string& name = context.collection.name();
  const cdx::Capture& capture = side.capture;
  Data data{{"is_old", is_old},
            {"timestamp", capture.timestamp},
            {"replay_address", replay_address(name, capture.timestamp, capture.url)},
            {"about_address", about_address(name, capture.timestamp, capture.url)},
            {"status", side.stored ? std::to_string(side.stored->status()) : capture.status},
            {"type", side.type},
            {"page_title", PageTitles(context.collection).of(capture)}};
  const auto step = [&](const cdx::Capture& to) {
    const std::string& here = to.timestamp;
    const std::string& there = other.capture.timestamp;
    return compare_address(name, capture.url, is_old ? here : there, is_old ? there : here,
                           FormValues(context.request.query).get("by"));
  };
  if (const auto around = context.collection.index().neighbours(capture)) {
    if (around->previous) data.set("earlier", step(*around->previous));
    if (around->next) data.set("later", step(*around->next));
  }
  return data;
}

std::string frame_address(const RequestContext& context, const Side& side, std::string_view modifier) {
  return context.captures + side.capture.timestamp + std::string(modifier) + '/' + header_url(side.capture.url);
}

void add_frames(const RequestContext& context, const Side& a, const Side& b, Data& page) {
  const std::string_view sandbox = context.captures_have_host() ? kSandboxWithOrigin : kSandbox;
  Data::List items;
  for (const Side* const side : {&a, &b})
    items.push_back(Data{{"timestamp", side->capture.timestamp},
                         {"address", frame_address(context, *side, "mp_")},
                         {"sandbox", sandbox}});
  page.set("frames", Data{{"items", std::move(items)}});
}

void add_pictures(const RequestContext& context, const Side& a, const Side& b, Data& page) {
  const std::string old_address = frame_address(context, a, "im_"), new_address = frame_address(context, b, "im_");
  Data::List items = {Data{{"timestamp", a.capture.timestamp}, {"address", old_address}},
                      Data{{"timestamp", b.capture.timestamp}, {"address", new_address}}};
  page.set("pictures", Data{{"items", std::move(items)}, {"old", old_address}, {"new", new_address}});
}

void add_comparison(const RequestContext& context, Side& a, Side& b, Way way, Data& page) {
  if (way == Way::rendered) return add_frames(context, a, b, page);
  if (way == Way::picture) return add_pictures(context, a, b, page);
  const auto old_lines = lines_of(a, way), new_lines = lines_of(b, way);
  DiffTable table(old_lines, new_lines);
  page.set("is_cut", a.is_cut || b.is_cut || table.is_cut());
  table.write_into(page);
}

http::ServerResponse compare_response(const RequestContext& context, std::string html) {
  http::ServerResponse response = own_page(200, std::move(html));
  const std::string source = captures_source(context);
  set_header(response.headers, "Content-Security-Policy",
             "default-src 'none'; img-src 'self' data: " + source +
                 "; style-src 'self' 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
                 "frame-src " +
                 source);
  return response;
}

}  // namespace

http::ServerResponse answer_compare(const RequestContext& context, const FormValues& asked) {
  const Writer& writer = context.writer;
  const std::string url = repair_url(asked.get("url"));
  std::string_view old_time = asked.get("a"), new_time = asked.get("b");
  if (old_time > new_time) std::swap(old_time, new_time);
  auto a = read_side(context, url, old_time), b = read_side(context, url, new_time);
  if (!a) return failed_page(context, a.error());
  if (!b) return failed_page(context, b.error());
  if (!*a || !*b) return answer_missing(context, url, Modifier::page, {});
  Side &old_side = **a, &new_side = **b;

  Data page{{"title", writer.text("title-compare")}, {"shown", shown_url(url)}, {"is_wide", true}};
  page.set("sides",
           Data::List{side_data(context, old_side, new_side, true), side_data(context, new_side, old_side, false)});
  Data::List problems;
  for (const Side* const side : {&old_side, &new_side})
    if (!side->problem.empty()) problems.push_back(visible(side->problem));
  page.set("problems", std::move(problems));

  const std::vector<Way> ways = ways_for(old_side, new_side);
  Way chosen = ways.front();
  for (const Way way : ways)
    if (kWays[static_cast<size_t>(way)] == asked.get("by")) chosen = way;
  Data::List tabs;
  for (const Way way : ways) {
    const std::string_view name = kWays[static_cast<size_t>(way)];
    tabs.push_back(Data{{"label", writer.text("compare-" + std::string(name))},
                        {"address", compare_address(context.collection.name(), url, old_side.capture.timestamp,
                                                    new_side.capture.timestamp, name)},
                        {"is_current", way == chosen}});
  }
  page.set("tabs", std::move(tabs));
  add_comparison(context, old_side, new_side, chosen, page);
  return compare_response(context, writer.page("compare", std::move(page)));
}

}  // namespace caddis::replay
