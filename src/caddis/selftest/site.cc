// The site of the selftest. Each kind of way in which a link can be found leads to a page of its own, /found/…, to which
// nothing else leads: so a page that is missing tells what is broken.

#include "caddis/selftest/site.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "caddis/base/check.h"
#include "caddis/base/fetch_status.h"
#include "caddis/io/gzip.h"

namespace caddis::selftest {
namespace {

constexpr std::string_view kCookie = "visitor=42";
constexpr size_t kLarge = 6u << 20;

std::string page_of(std::string_view title, std::string_view body) {
  return fmt::format("<!doctype html><html lang=en><head><title>{}</title></head><body><h1>{}</h1>{}</body></html>\n",
                     title, title, body);
}

std::string link_to(std::string_view path) { return fmt::format("<p><a href=\"{}\">{}</a></p>", path, path); }

// A stream of brotli (RFC 7932) that says its bytes as they are: a window of 64 KB, one meta-block without compression,
// and an empty last one.
std::string brotli_of(std::string_view text) {
  CADDIS_CHECK(!text.empty() && text.size() <= 65536);
  const uint32_t head = static_cast<uint32_t>(text.size() - 1) << 4 | 1u << 20;
  std::string stream;
  for (int byte = 0; byte < 3; ++byte) stream += static_cast<char>(head >> (8 * byte) & 0xff);
  stream += text;
  stream += '\x03';
  return stream;
}

// Bytes that no coding makes smaller, the same each time.
std::string large_body() {
  std::string bytes(kLarge, '\0');
  uint64_t state = 42;
  for (char& byte : bytes) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    byte = static_cast<char>(state >> 56);
  }
  return bytes;
}

std::string pdf_with_link(std::string_view path) {
  std::string pdf = "%PDF-1.4\n";
  std::vector<size_t> places;
  const std::vector<std::string> objects = {
      "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
      "<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Annots[4 0 R]>>",
      fmt::format("<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI({})>>>>", path)};
  for (size_t i = 0; i < objects.size(); ++i) {
    places.push_back(pdf.size());
    pdf += fmt::format("{} 0 obj{}endobj\n", i + 1, objects[i]);
  }
  const size_t table = pdf.size();
  pdf += fmt::format("xref\n0 {}\n0000000000 65535 f \n", objects.size() + 1);
  for (const size_t place : places) pdf += fmt::format("{:010} 00000 n \n", place);
  return pdf + fmt::format("trailer<</Size {}/Root 1 0 R>>\nstartxref\n{}\n%%EOF\n", objects.size() + 1, table);
}

// Gives all of a body, in pieces.
class Pieces final : public http::BodySource {
 public:
  Pieces(std::string bytes, bool is_cut) : bytes_(std::move(bytes)), is_cut_(is_cut) {}
  Result<bool> next(std::string& piece) override {
    piece.append(bytes_, at_, kPiece);
    at_ = std::min(bytes_.size(), at_ + kPiece);
    if (at_ < bytes_.size()) return true;
    if (std::exchange(ends_, true) && is_cut_) return fail(ErrorCode::closed, "the site cuts this answer");
    return is_cut_;
  }

 private:
  static constexpr size_t kPiece = 700;
  const std::string bytes_;
  const bool is_cut_;
  size_t at_ = 0;
  bool ends_ = false;
};

http::ServerResponse response_of(const Page& page) {
  http::ServerResponse response(page.status);
  response.headers = page.headers;
  response.headers.emplace_back("Content-Type", page.mime);
  if (page.coding != Coding::none)
    response.headers.emplace_back("Content-Encoding", page.coding == Coding::gzip ? "gzip" : "br");
  std::string body = sent_body(page);
  if (page.delivery == Delivery::chunked || page.delivery == Delivery::cut) {
    if (page.delivery == Delivery::cut) response.stream_size = 2 * body.size();
    response.source = std::make_unique<Pieces>(std::move(body), page.delivery == Delivery::cut);
  } else {
    response.body = std::move(body);
  }
  return response;
}

// Each page of the trap leads further in.
http::ServerResponse trap(std::string_view path) {
  http::ServerResponse response(200);
  response.headers.emplace_back("Content-Type", "text/html");
  response.body = page_of("Calendar", link_to(fmt::format("{}next/", path)));
  return response;
}

}  // namespace

std::string sent_body(const Page& page) {
  switch (page.coding) {
    case Coding::gzip:
      return io::gzip_member(page.body, io::GzipEffort::small);
    case Coding::brotli:
      return brotli_of(page.body);
    case Coding::none:
      break;
  }
  return page.body;
}

Site::Site() {
  add_ways();
  add_answers();
  add({.path = "/", .tries = "the start page", .body = start_page()});
}

void Site::add(Page page) {
  std::string path = page.path;
  pages_.emplace(std::move(path), std::move(page));
}

void Site::add_ways() {
  const auto add_way = [&](Page page, std::string_view found) {
    add({.path = fmt::format("/found/{}", found),
         .tries = fmt::format("a link that is found in {}", page.tries),
         .body = page_of(found, "<p>Found.</p>")});
    add(std::move(page));
  };
  add_way({.path = "/plain.html", .tries = "a page", .body = page_of("Plain", link_to("/found/html"))}, "html");
  add_way({.path = "/gzip.html",
           .tries = "a page that is packed by gzip",
           .body = page_of("Packed", link_to("/found/gzip")),
           .coding = Coding::gzip},
          "gzip");
  add_way({.path = "/brotli.html",
           .tries = "a page that is packed by brotli",
           .body = page_of("Packed", link_to("/found/brotli")),
           .coding = Coding::brotli},
          "brotli");
  add_way({.path = "/chunked.html",
           .tries = "a page that comes in chunks",
           .body = page_of("Chunks", std::string(5000, ' ') + link_to("/found/chunked")),
           .delivery = Delivery::chunked},
          "chunked");
  add_way({.path = "/style.css",
           .tries = "a style sheet",
           .mime = "text/css",
           .body = "body { background: url('/found/css') }\n"},
          "css");
  add_way({.path = "/script.js",
           .tries = "a script",
           .mime = "text/javascript",
           .body = "fetch('/found/script.html').then(show);\n"},
          "script.html");
  add_way({.path = "/feed.xml",
           .tries = "a feed",
           .mime = "application/rss+xml",
           .body = "<?xml version=\"1.0\"?>\n<rss version=\"2.0\"><channel><title>News</title><link>/</link>"
                   "<description>News</description><item><title>One</title><link>/found/feed</link></item>"
                   "</channel></rss>\n"},
          "feed");
  add_way({.path = "/paper.pdf", .tries = "a PDF", .mime = "application/pdf", .body = pdf_with_link("/found/pdf")},
          "pdf");
  add_way({.path = "/cookie.html",
           .tries = "a page that sets a cookie",
           .body = page_of("Cookie", link_to("/visitors.html")),
           .headers = {{"Set-Cookie", fmt::format("{}; Path=/", kCookie)}}},
          "cookie");
  add({.path = "/visitors.html",
       .tries = "a page for who has the cookie",
       .body = page_of("Visitors", link_to("/found/cookie")),
       .delivery = Delivery::to_visitor});
  add_way({.path = "/moved",
           .tries = "a redirect",
           .status = 301,
           .headers = {{"Location", "/found/redirect"}},
           .fate = 301},
          "redirect");
  add_way({.path = "/frame.html",
           .tries = "a page with a frame",
           .body = page_of("Frame", "<iframe src=/found/frame></iframe>")},
          "frame");
}

void Site::add_answers() {
  add({.path = "/robots.txt",
       .tries = "robots.txt",
       .mime = "text/plain",
       .body = "User-agent: *\nDisallow: /private/\n"});
  add({.path = "/private/page.html",
       .tries = "a page that robots.txt forbids",
       .body = page_of("Private", ""),
       .fate = status::kRobotsPrecluded});
  add({.path = "/missing.html",
       .tries = "a page that is missing",
       .status = 404,
       .body = page_of("No", ""),
       .fate = 404});
  add({.path = "/error", .tries = "a server in trouble", .status = 500, .body = page_of("Error", ""), .fate = 500});
  add({.path = "/empty", .tries = "an answer without a body", .status = 204, .body = "", .fate = 204});
  add({.path = "/around",
       .tries = "a redirect to itself",
       .status = 302,
       .headers = {{"Location", "/around"}},
       .fate = 302});
  add({.path = "/large.bin", .tries = "a large body", .mime = "application/octet-stream", .body = large_body()});
  add({.path = "/cut.html",
       .tries = "an answer that is cut",
       .body = page_of("Cut", std::string(3000, '.')),
       .delivery = Delivery::cut});
  add({.path = "/latin.html",
       .tries = "a page in Latin-1",
       .mime = "text/html; charset=iso-8859-1",
       .body = page_of("Caf\xe9", "<p>Caf\xe9</p>")});
}

std::string Site::start_page() const {
  std::string links =
      "<link rel=stylesheet href=/style.css><script src=/script.js></script>"
      "<link rel=alternate type=application/rss+xml href=/feed.xml>";
  for (const auto& [path, page] : pages_)
    if (!path.starts_with("/found/") && path != "/robots.txt" && path != "/visitors.html") links += link_to(path);
  return page_of("Selftest", links + link_to(kTrap));
}

aio::Task<http::ServerResponse> Site::answer(const http::ServerRequest& request) {
  ++requests_[request.path];
  if (request.path.starts_with(kTrap)) co_return trap(request.path);
  const auto found = pages_.find(request.path);
  if (found == pages_.end()) co_return http::text_response(404, "not found");
  const Page& page = found->second;
  if (page.delivery == Delivery::to_visitor && request.header("cookie").find(kCookie) == std::string_view::npos)
    co_return http::text_response(403, "no cookie");
  co_return response_of(page);
}

uint64_t Site::requests(const std::string& path) const {
  const auto found = requests_.find(path);
  return found == requests_.end() ? 0 : found->second;
}

uint64_t Site::trapped() const {
  return static_cast<uint64_t>(
      std::ranges::count_if(requests_, [](const auto& one) { return one.first.starts_with(kTrap); }));
}

}  // namespace caddis::selftest
