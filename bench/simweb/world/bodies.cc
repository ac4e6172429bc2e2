#include "simweb/world/bodies.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "simweb/world/hash.h"
#include "simweb/world/links.h"
#include "simweb/world/names.h"
#include "simweb/world/plan.h"
#include "simweb/world/put.h"

namespace simweb {
namespace {

constexpr size_t kHtmlOverhead = 400, kLinkBytes = 70;
constexpr size_t kMaxGroups = 6;  // of links in a page: each is a piece to be gathered

struct Charset {
  Flavour flavour;
  std::string_view label, type;  // type: where the head names it
};
constexpr std::array<Charset, 5> kCharsets = {{{Flavour::html, "utf-8", "text/html; charset=utf-8"},
                                               {Flavour::html_1251, "windows-1251", "text/html; charset=windows-1251"},
                                               {Flavour::html_latin1, "iso-8859-1", "text/html"},
                                               {Flavour::html_sjis, "shift_jis", "text/html"},
                                               {Flavour::html_gb18030, "gb18030", "text/html; charset=gb18030"}}};

const Charset& charset_of(const Source& source, const Content& content) {
  const WebSettings& s = source.world.settings();
  const uint64_t x = draw(s.seed, Salt::content, source.host.id, ~content.text);
  return kCharsets[unit(x) < s.other_charset ? 1 + x % 4 : 0];
}

void append_hex(std::string& out, uint64_t value) {
  char digits[16];
  for (char& digit : digits) {
    digit = "0123456789abcdef"[value >> 60];
    value <<= 4;
  }
  out.append(digits, sizeof digits);
}

// Size of a body by chance.
uint64_t draw_size(const Source& source, uint64_t number) {
  const WebSettings& s = source.world.settings();
  const double z = normal(draw(s.seed, Salt::size, source.host.id, number));
  return std::min(s.max_size, static_cast<uint64_t>(std::exp(source.world.plan().size_mu + s.size_sigma * z)));
}

// Hands out blocks that add up to about `size` bytes.
class BlockRow {
 public:
  BlockRow(Flavour flavour, uint64_t size, uint64_t x) : flavour_(flavour), x_(x) {
    for (size_t i = 0; i < kBlockSizes.size(); ++i) {
      // Small ones only where they count.
      if (i > 0 && i + 1 == kBlockSizes.size() && total_ >= 8) break;
      counts_[i] = size / kBlockSizes[i];
      size %= kBlockSizes[i];
      total_ += counts_[i];
    }
  }
  uint64_t total() const { return total_; }
  void write_next(EntityWriter& out) {
    while (counts_[class_] == 0) ++class_;
    --counts_[class_];
    x_ = next_draw(x_);
    out.block(BlockStock::get().pick(flavour_, class_, x_));
  }
  void write_all(EntityWriter& out) {
    for (uint64_t i = 0; i < total_; ++i) write_next(out);
  }

 private:
  Flavour flavour_;
  uint64_t x_;
  std::array<uint64_t, kBlockSizes.size()> counts_{};
  size_t class_ = 0;
  uint64_t total_ = 0;
};

// A link's URL in one of the forms that pages have it in. Numbered pages only.
char* put_reference(char* at, const World& world, const Target& target) {
  const uint64_t form = target.chance >> 20 & 31;
  if (target.outside || form == 0)
    return put_numbered(put_origin(at, world.settings(), target.host, target.https), target.page);
  if (form == 1 && target.page.number > 0) at = put(at, "..");
  at = put_numbered(at, target.page);
  return form == 2 && target.hop == 'L' ? put(at, "#s7") : at;
}

struct Markup {
  std::string_view before, middle, after;  // around reference and text
};
constexpr Markup kLink = {"<li><a href=\"", "\">", "</a></li>\n"};
constexpr Markup kLinkWithMore = {"<li class=\"nav\"><a title=\"to\" href=\"", "\">", "</a></li>\n"};
constexpr Markup kImage = {"<li><img src=\"", "\" alt=\"", "\"></li>\n"};
constexpr Markup kStyle = {"<link rel=\"stylesheet\" href=\"", "\" title=\"", "\">\n"};
constexpr Markup kScript = {"<script src=\"", "\"></script><p>", "</p>\n"};

const Markup& markup_of(const Target& target) {
  switch (target.page.kind) {
    case Kind::image:
      return kImage;
    case Kind::style:
      return kStyle;
    case Kind::script:
      return kScript;
    default:
      return (target.chance >> 30 & 7) == 0 ? kLinkWithMore : kLink;
  }
}

void append_link(std::string& out, const World& world, const Target& target) {
  const Markup& markup = markup_of(target);
  const std::string_view text = BlockStock::get().anchor(target.chance);
  if (!is_numbered(target.page.kind)) {
    out += markup.before;
    append_absolute(out, world, target.host, target.https, target.page);
    out += markup.middle;
    out += text;
    out += markup.after;
    return;
  }
  char buffer[kMaxPut + BlockStock::kMaxAnchor + 100];
  char* at = put(buffer, markup.before);
  at = put_reference(at, world, target);
  at = put(at, markup.middle);
  at = put(at, text);
  at = put(at, markup.after);
  out.append(buffer, static_cast<size_t>(at - buffer));
}

void append_html_head(std::string& out, std::string_view charset, uint64_t number, uint64_t token) {
  out += "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n";
  if (!charset.empty()) {
    out += "<meta charset=\"";
    out += charset;
    out += "\">\n";
  }
  out += "<title>Page ";
  append_decimal(out, number);
  out += "</title>\n<meta name=\"generator\" content=\"simweb\">\n<meta name=\"token\" content=\"";
  append_hex(out, token);
  out += "\">\n</head>\n<body class=\"page\">\n<div id=\"main\">\n";
}

void write_html(const Source& source, EntityWriter& out) {
  const World& world = source.world;
  const Content content = content_of(world, source.host, source.page);
  const Charset& charset = charset_of(source, content);
  const bool in_head = charset.type.size() > sizeof "text/html";
  std::string_view label = in_head && charset.flavour != Flavour::html ? std::string_view() : charset.label;
  if (source.page.kind == Kind::charset_conflict) label = charset.flavour == Flavour::html ? "koi8-r" : "utf-8";

  const uint64_t token = token_of(world, source.host, content.number);
  append_html_head(out.text(), label, content.number, token);
  const Links links(world, source.host, content.number);
  const uint64_t size = draw_size(source, content.text), around = kHtmlOverhead + links.size() * kLinkBytes;
  BlockRow blocks(charset.flavour, size > around ? size - around : 0,
                  draw(world.settings().seed, Salt::size, source.host.id, ~content.text));
  const size_t groups = std::clamp<size_t>(blocks.total(), 1, kMaxGroups);
  const size_t each = (links.size() + groups - 1) / groups;
  size_t next = 0;
  for (uint64_t i = 0; i < blocks.total() || next < links.size(); ++i) {
    if (next < links.size()) {
      out.text() += "<ul>\n";
      for (const size_t end = std::min(next + each, links.size()); next < end; ++next) {
        append_link(out.text(), world, links[next]);
        out.breathe();
      }
      out.text() += "</ul>\n";
    }
    if (i < blocks.total()) blocks.write_next(out);
  }
  out.text() += "</div>\n</body>\n</html>\n";
}

void write_image(const Source& source, EntityWriter& out) {
  out.text().append("\x89PNG\r\n\x1a\n\0\0\0\x10tEXt", 16);
  // A fifth of the images is the same everywhere, as buttons and logos are.
  const uint64_t x = token_of(source.world, source.host, source.page.number);
  const bool shared = x % 5 == 0;
  const uint64_t token = shared ? x / 5 % 64 : x;
  append_hex(out.text(), token);
  const uint64_t size = shared ? 1024 * (1 + token % 3) : draw_size(source, source.page.number) / 2;
  BlockRow(Flavour::binary, size, next_draw(token)).write_all(out);
}

void write_pdf(const Source& source, EntityWriter& out) {
  out.text() += "%PDF-1.4\n%";
  append_hex(out.text(), token_of(source.world, source.host, source.page.number));
  out.text() += "\n1 0 obj\n<< >>\nstream\n";
  BlockRow(Flavour::binary, 3 * draw_size(source, source.page.number), source.page.number).write_all(out);
  out.text() += "\nendstream\nendobj\n%%EOF\n";
}

void write_code(const Source& source, EntityWriter& out) {
  const bool style = source.page.kind == Kind::style;
  out.text() += "/* ";
  append_hex(out.text(), token_of(source.world, source.host, source.page.number));
  out.text() += " */\n";
  if (style) {
    for (const PageRef& image : style_images(source.world, source.host, source.page)) {
      out.text() += ".image { background: url(";
      World::append_target(out.text(), image);
      out.text() += ") }\n";
    }
  }
  BlockRow(style ? Flavour::style : Flavour::script, draw_size(source, source.page.number) / 2, source.page.number)
      .write_all(out);
}

void write_feed(const Source& source, EntityWriter& out) {
  const auto link = [&](const PageRef& page) {
    append_absolute(out.text(), source.world, source.host.id, source.host.https, page);
  };
  out.text() +=
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<rss version=\"2.0\">\n<channel>\n<title>Feed</title>\n<link>";
  link({Kind::html});
  out.text() += "</link>\n<description>Window ";
  append_decimal(out.text(), static_cast<uint64_t>(source.window));
  out.text() += "</description>\n";
  uint64_t x = 0;
  for (const PageRef& item : feed_items(source.world, source.host, source.page, source.window)) {
    out.text() += "<item>\n<title>";
    out.text() += BlockStock::get().anchor(x = next_draw(x));
    out.text() += "</title>\n<link>";
    link(item);
    out.text() += "</link>\n</item>\n";
    out.breathe();
  }
  out.text() += "</channel>\n</rss>\n";
}

void write_bomb(const Source& source, EntityWriter& out) {
  out.text() += "<html><body>";
  const uint64_t blocks = source.world.settings().bomb_size / BlockStock::get().zeros().plain.size();
  for (uint64_t i = 0; i < blocks; ++i) out.block(BlockStock::get().zeros());
}

}  // namespace

void append_absolute(std::string& out, const World& world, HostId host, bool https, const PageRef& page) {
  const size_t begin = out.size();
  append_origin(out, world.settings(), host, https);
  if (page.kind == Kind::trap_host) {
    std::string label = "w";
    append_base36(label, page.number);
    out.insert(out.find("//", begin) + 2, label + ".");
  }
  World::append_target(out, page);
}

Format format_of(const Source& source) {
  switch (source.page.kind) {
    case Kind::image:
      return {"image/png", false};
    case Kind::favicon:
      return {"image/x-icon", false};
    case Kind::pdf:
      return {"application/pdf", false};
    case Kind::style:
      return {"text/css"};
    case Kind::script:
      return {"application/javascript"};
    case Kind::feed:
      return {"application/rss+xml"};
    case Kind::sitemap:
    case Kind::sitemap_index:
      return {"application/xml"};
    case Kind::robots:
    case Kind::robots_target:
      return {"text/plain", false};
    case Kind::charset_conflict:
      return {"text/html; charset=iso-8859-5"};
    default:
      if (!has_page_body(source.page.kind)) return {"text/html; charset=utf-8"};
      return {charset_of(source, content_of(source.world, source.host, source.page)).type};
  }
}

void write_note(std::string_view title, EntityWriter& out) {
  out.text() += "<!DOCTYPE html>\n<html><head><title>";
  out.text() += title;
  out.text() += "</title></head>\n<body><h1>";
  out.text() += title;
  out.text() += "</h1><p>That is all.</p></body></html>\n";
}

void write_entity(const Source& source, EntityWriter& out) {
  switch (source.page.kind) {
    case Kind::image:
      return write_image(source, out);
    case Kind::favicon:
      return out.block(BlockStock::get().pick(Flavour::binary, 2, 0));
    case Kind::pdf:
      return write_pdf(source, out);
    case Kind::style:
    case Kind::script:
      return write_code(source, out);
    case Kind::feed:
      return write_feed(source, out);
    case Kind::sitemap:
    case Kind::sitemap_index:
      return write_sitemap(source, out);
    case Kind::robots:
    case Kind::robots_target:
      return write_robots(source, out);
    case Kind::login_form:
      return write_form(source, out);
    case Kind::login_welcome:
      return write_note("Welcome", out);
    case Kind::gzip_bomb:
      return write_bomb(source, out);
    case Kind::drip:
    case Kind::bad_head:
    case Kind::huge_head:
    case Kind::endless:
      return BlockRow(Flavour::html, 4096, source.page.number).write_all(out);
    default:
      if (is_trap(source.page.kind)) return write_trap(source, out);
      return write_html(source, out);
  }
}

}  // namespace simweb
