// robots.txt, sitemaps and traps.
#include <fmt/format.h>

#include "simweb/world/bodies.h"
#include "simweb/world/doors.h"
#include "simweb/world/links.h"
#include "simweb/world/names.h"

namespace simweb {
namespace {

// World::allowed is this in code.
constexpr std::string_view kRules = "Disallow: /private\nAllow: /private-open/\nDisallow: /*?print=\n";

void append_escaped_target(std::string& out, const PageRef& page) {
  std::string target;
  World::append_target(target, page);
  for (const char c : target) c == '&' ? out.append("&amp;") : out.append(1, c);
}

}  // namespace

void write_robots(const Source& source, EntityWriter& out) {
  std::string& text = out.text();
  const HostFacts& host = source.host;
  if (host.robots == Robots::disallow_all) {
    text += "User-agent: *\nDisallow: /\n";
    return;
  }
  if (host.robots == Robots::huge) out.borrow(BlockStock::get().robots());
  if (host.robots == Robots::named) {
    text += "User-agent: *\nDisallow: /\n\nUser-agent: ";
    text += source.world.settings().product;
    text += '\n';
  } else {
    text += "# who is asked to keep away from what\nUser-agent: *\n";
  }
  text += kRules;
  if (host.crawl_delay > 0)
    text += fmt::format("Crawl-delay: {}.{}\n", host.crawl_delay / 1000, host.crawl_delay / 100 % 10);
  if (host.sitemap) text += fmt::format("\nSitemap: {}\n", source.world.url(host, {Kind::sitemap_index}));
}

void write_sitemap(const Source& source, EntityWriter& out) {
  constexpr std::string_view kSpace = " xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n";
  const bool index = source.page.kind == Kind::sitemap_index;
  std::string& text = out.text();
  text += index ? "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<sitemapindex"
                : "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset";
  text += kSpace;
  const auto add = [&](const PageRef& page) {
    text += index ? "<sitemap><loc>" : "<url><loc>";
    append_absolute(text, source.world, source.host.id, source.host.https, page);
    text += index ? "</loc></sitemap>\n" : "</loc></url>\n";
    out.breathe();
  };
  if (index) {
    for (uint64_t i = 0; i < source.world.sitemaps(source.host); ++i) add({Kind::sitemap, i});
  } else {
    for (const PageRef& page : sitemap_pages(source.world, source.host, source.page.number)) add(page);
  }
  text += index ? "</sitemapindex>\n" : "</urlset>\n";
}

void write_form(const Source& source, EntityWriter& out) {
  const auto fields = form_fields(source.world.settings(), source.host.id);
  out.text() += fmt::format(
      "<!DOCTYPE html>\n<html><head><title>Members</title></head>\n<body><h1>{}</h1>\n<form method=\"post\" "
      "action=\"{}\">\n"
      "<input type=\"hidden\" name=\"token\" value=\"{}\">\n"
      "<label>Name <input type=\"text\" name=\"who\"></label>\n"
      "<label>Password <input type=\"password\" name=\"word\"></label>\n"
      "<label><input type=\"checkbox\" name=\"stay\" value=\"yes\" checked> Stay</label>\n"
      "<label><input type=\"checkbox\" name=\"news\" value=\"yes\"> Write to me</label>\n"
      "<select name=\"club\"><option>Guests</option><option selected>Old members</option></select>\n"
      "<input type=\"submit\" name=\"go\" value=\"Enter\">\n</form></body></html>\n",
      kFormWords, kFormTarget, fields.front().second);
}

void write_trap(const Source& source, EntityWriter& out) {
  std::string& text = out.text();
  text += "<!DOCTYPE html>\n<html><head><title>";
  text += to_string(source.page.kind);
  text += ' ';
  append_decimal(text, source.page.number);
  text += "</title></head>\n<body>\n<a href=\"";
  append_absolute(text, source.world, source.host.id, source.host.https, {Kind::html});
  text += "\">home</a>\n";
  for (const PageRef& page : trap_links(source.world, source.host, source.page)) {
    text += "<a href=\"";
    if (page.kind == Kind::trap_host)
      append_absolute(text, source.world, source.host.id, source.host.https, page);
    else
      append_escaped_target(text, page);
    text += "\">more</a>\n";
  }
  out.block(BlockStock::get().pick(Flavour::html, 2, source.page.number * 0x9E3779B97F4A7C15));
  text += "</body></html>\n";
}

}  // namespace simweb
