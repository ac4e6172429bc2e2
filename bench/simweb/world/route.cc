// Targets: how a PageRef is written in a URL, and read back.
//
//   numbered   "/"  |  "/" folder "/p" number [ "-" part ] suffix      folder of html: "d" and the last two digits
//   traps      /t/cal/YYYY-MM  /t/sid/pN?sid=<32 hex>  /t/path/a/b/a/…  /t/shop?color=&size=&sort=&page=  /t/old/nN
#include <array>
#include <charconv>
#include <optional>

#include "caddis/base/strings.h"
#include "simweb/world/doors.h"
#include "simweb/world/hash.h"
#include "simweb/world/names.h"
#include "simweb/world/put.h"
#include "simweb/world/world.h"

namespace simweb {
namespace {

struct Form {
  std::string_view folder, suffix;
};

// By Kind, of the numbered ones and steps.
constexpr std::array<Form, 30> kForms = {{
    {"d", ".html"},
    {"private", ".html"},
    {"d", ".html?print=1"},
    {"private-open", ".html"},
    {"i", ".png"},
    {"c", ".css"},
    {"j", ".js"},
    {"f", ".pdf"},
    {"feed", ".xml"},
    {"go", ""},
    {"out", ""},
    {"hop", ""},
    {"loop", ""},
    {"gone", ".html"},
    {"fail", ".html"},
    {"busy", ".html"},
    {"down", ".html"},
    {"long", ".html"},
    {"short", ".html"},
    {"cut", ".html"},
    {"reset", ".html"},
    {"hang", ".html"},
    {"drip", ".html"},
    {"odd", ".html"},
    {"bighead", ".html"},
    {"endless", ".html"},
    {"bomb", ".html"},
    {"charset", ".html"},
    {"hop", ""},
    {"loop", ""},
}};
static_assert(static_cast<size_t>(Kind::loop_step) + 1 == kForms.size());

struct Fixed {
  std::string_view target;
  Kind kind;
};
constexpr std::array<Fixed, 6> kFixed = {{{"/robots.txt", Kind::robots},
                                          {"/robots-moved.txt", Kind::robots_target},
                                          {"/favicon.ico", Kind::favicon},
                                          {"/sitemap_index.xml", Kind::sitemap_index},
                                          {kFormTarget, Kind::login_form},
                                          {kWelcomeTarget, Kind::login_welcome}}};
constexpr std::string_view kSitemap = "/sitemap-";

constexpr std::string_view kCalendar = "/t/cal/", kSession = "/t/sid/p", kPath = "/t/path", kShop = "/t/shop?",
                           kMissing = "/t/old/";
constexpr uint64_t kMaxTrapDepth = 500;
constexpr std::array<std::string_view, 4> kFilters = {"color=", "&size=", "&sort=", "&page="};

void append_hex(std::string& out, uint64_t value, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += "0123456789abcdef"[value >> shift & 15];
}

void append_trap(std::string& out, const PageRef& page) {
  switch (page.kind) {
    case Kind::trap_calendar:
      out += kCalendar;
      append_decimal(out, 2000 + page.number / 12);
      out += '-';
      if (page.number % 12 < 9) out += '0';
      append_decimal(out, page.number % 12 + 1);
      break;
    case Kind::trap_session:
      out += kSession;
      append_decimal(out, page.number);
      out += "?sid=";
      append_hex(out, page.part, 8);
      append_hex(out, draw(0, Salt::trap, page.part), 16);
      append_hex(out, page.part, 8);
      break;
    case Kind::trap_path:
      out += kPath;
      for (uint64_t i = 0; i < page.number; ++i) out += i % 2 == 0 ? "/a" : "/b";
      out += '/';
      break;
    case Kind::trap_shop:
      out += kShop;
      for (size_t i = 0; i < kFilters.size(); ++i) {
        out += kFilters[i];
        append_decimal(out, page.number >> (4 * i) & 15);
      }
      break;
    case Kind::trap_missing:
      out += kMissing;
      out += 'n';
      append_decimal(out, page.number);
      break;
    default:
      out += '/';
  }
}

// A number in front of `text`, which is removed.
std::optional<uint64_t> take_decimal(std::string_view& text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end == text.data()) return {};
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return number;
}

bool take(std::string_view& text, std::string_view front) {
  if (!text.starts_with(front)) return false;
  text.remove_prefix(front.size());
  return true;
}

std::optional<PageRef> read_trap(std::string_view text) {
  if (take(text, kCalendar)) {
    const auto year = take_decimal(text);
    if (!year || *year < 2000 || *year > 1'000'000 || !take(text, "-")) return {};
    take(text, "0");
    const auto month = take_decimal(text);
    if (!month || *month < 1 || *month > 12) return {};
    return PageRef{Kind::trap_calendar, (*year - 2000) * 12 + *month - 1};
  }
  if (take(text, kSession)) {
    const auto number = take_decimal(text);
    if (!number || !take(text, "?sid=") || text.size() < 8) return {};
    uint32_t part = 0;
    std::from_chars(text.data(), text.data() + 8, part, 16);
    return PageRef{Kind::trap_session, *number, part};
  }
  if (take(text, kPath)) {
    const auto depth = static_cast<uint64_t>(text.size() / 2);
    if (depth > kMaxTrapDepth) return {};
    return PageRef{Kind::trap_path, depth};
  }
  if (take(text, kShop)) {
    uint64_t number = 0;
    for (size_t i = 0; i < kFilters.size(); ++i) {
      if (!take(text, kFilters[i])) return {};
      const auto choice = take_decimal(text);
      if (!choice || *choice > 15) return {};
      number |= *choice << (4 * i);
    }
    return PageRef{Kind::trap_shop, number};
  }
  if (take(text, kMissing)) {
    uint64_t number = 0;
    if (take(text, "n")) return PageRef{Kind::trap_missing, take_decimal(text).value_or(0)};
    for (const char c : text) number = fold(number ^ static_cast<unsigned char>(c), 0x9E3779B97F4A7C15);
    return PageRef{Kind::trap_missing, number};
  }
  return {};
}

// The number behind the last "/p", and the part behind it.
std::optional<PageRef> read_number(std::string_view target) {
  const size_t at = target.rfind("/p");
  if (at == target.npos) return {};
  std::string_view rest = target.substr(at + 2);
  const auto number = take_decimal(rest);
  if (!number) return {};
  PageRef page{.number = *number};
  if (take(rest, "-")) {
    const auto part = take_decimal(rest);
    if (!part || *part == 0 || *part > 100) return {};
    page.part = static_cast<uint32_t>(*part);
  }
  return page;
}

}  // namespace

char* put_numbered(char* at, const PageRef& page) {
  *at++ = '/';
  if (page.kind == Kind::html && page.number == 0) return at;
  const Form& form = kForms[static_cast<size_t>(page.kind)];
  at = put(at, form.folder);
  if (page.kind == Kind::html || page.kind == Kind::hidden_query) at = put_decimal(at, page.number % 100);
  at = put(at, "/p");
  at = put_decimal(at, page.number);
  if (page.part > 0) {
    *at++ = '-';
    at = put_decimal(at, page.part);
  }
  return put(at, form.suffix);
}

void World::append_target(std::string& out, const PageRef& page) {
  if (static_cast<size_t>(page.kind) < kForms.size()) {
    char buffer[kMaxPut];
    out.append(buffer, static_cast<size_t>(put_numbered(buffer, page) - buffer));
    return;
  }
  if (is_trap(page.kind)) return append_trap(out, page);
  if (page.kind == Kind::sitemap) {
    out += kSitemap;
    append_decimal(out, page.number);
    out += ".xml";
    return;
  }
  for (const Fixed& fixed : kFixed)
    if (fixed.kind == page.kind) out += fixed.target;
}

PageRef World::route(const HostFacts& host, const NamedHost& named, std::string_view target) const {
  PageRef found;
  for (const Fixed& fixed : kFixed)
    if (target == fixed.target) found.kind = fixed.kind;
  if (found.kind == Kind::sitemap_index && !host.sitemap) return {};
  if (found.kind == Kind::robots_target && host.robots != Robots::redirect) return {};
  const bool is_login = found.kind == Kind::login_form || found.kind == Kind::login_welcome;
  if (is_login && door_of(settings_, host.id, Kind::html) != Door::form) return {};
  if (named.wildcard) {
    if (target == "/") return {Kind::trap_host, named.subdomain};
    return found.kind == Kind::robots || found.kind == Kind::robots_target ? found : PageRef{};
  }
  if (found.kind != Kind::unknown) return found;
  if (target == "/") return page(host, 0);
  if (host.traps && target.starts_with("/t/")) {
    const auto trap = read_trap(target);
    return trap ? *trap : PageRef{};
  }
  if (std::string_view rest = target; take(rest, kSitemap)) {
    const auto number = take_decimal(rest);
    return number && rest == ".xml" && *number < sitemaps(host) ? PageRef{Kind::sitemap, *number} : PageRef{};
  }
  const auto numbered = read_number(target);
  if (!numbered || numbered->number >= host.pages) return {};
  found = page(host, numbered->number);
  if (numbered->part > 0) {
    if (numbered->part > steps(host, found)) return {};
    found.kind = found.kind == Kind::redirect_chain ? Kind::chain_step : Kind::loop_step;
    found.part = numbered->part;
  }
  // A path that is written otherwise than the page's is not the page's.
  thread_local std::string again;
  again.clear();
  append_target(again, found);
  return again == target ? found : PageRef{};
}

std::string World::origin(const HostFacts& host) const {
  std::string text;
  append_origin(text, settings_, host.id, host.https);
  return text;
}

std::string World::url(const HostFacts& host, const PageRef& page) const {
  std::string text = origin(host);
  if (page.kind == Kind::trap_host) {
    std::string label = "w";
    append_base36(label, page.number);
    text.insert(text.find("//") + 2, label + ".");
  }
  append_target(text, page);
  return text;
}

bool World::allowed(const HostFacts& host, std::string_view target) {
  if (target == "/robots.txt" || target == "/robots-moved.txt") return true;
  if (host.robots == Robots::unavailable || host.robots == Robots::disallow_all) return false;
  if (!host.has_rules()) return true;
  if (target.starts_with("/private") && !target.starts_with("/private-open/")) return false;
  return target.find("?print=") == target.npos;
}

bool World::allowed(const HostFacts& host, const PageRef& page) {
  if (page.kind == Kind::robots || page.kind == Kind::robots_target) return true;
  if (host.robots == Robots::unavailable || host.robots == Robots::disallow_all) return false;
  return page.kind != Kind::hidden && page.kind != Kind::hidden_query;
}

}  // namespace simweb
