// A small web of known content for simulated crawls: four hosts whose pages are functions of their names, with
// redirects, an error or two, a robots.txt with a rule, a server that is busy at first, embeds, chunked bodies, and
// files larger than what a fetch keeps in memory.
//
//   SimSite site;
//   site.serve_on(network);
//   crawl from site.seeds(), then compare with site.captures() and site.log()
//
// It outlives the crashes of those who crawl it: what it has counted (the busy server) it goes on counting. One thread.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/aio/sim.h"
#include "caddis/base/random.h"
#include "sim/requests.h"

namespace caddis::testing {

class SimSite {
 public:
  SimSite() {
    add_pages("a.test", 30);
    add_pages("b.test", 20);
    add_pages("c.test", 14);
    add_images();
    add_specials();
  }
  SimSite(const SimSite&) = delete;
  SimSite& operator=(const SimSite&) = delete;

  static std::vector<std::string> seeds() { return {"http://a.test/p0", "http://b.test/p0", "http://c.test/p0"}; }
  static std::map<std::string, std::vector<std::string>> addresses() {
    return {{"a.test", {"192.0.2.1"}},
            {"b.test", {"192.0.2.2", "192.0.2.22"}},
            {"c.test", {"192.0.2.3"}},
            {"img.test", {"192.0.2.3"}}};
  }
  void serve_on(aio::SimNetwork& network) {
    for (const auto& [host, addresses] : addresses())
      for (const std::string& address : addresses)
        network.serve(aio::Endpoint(address, 80),
                      [this](std::unique_ptr<aio::Stream> stream) { return serve(*this, std::move(stream)); });
  }

  // What a whole crawl captures: URL to the bytes of its response, the last one where it changes.
  const std::map<std::string, std::string>& captures() const { return answers_; }
  // URL to status, of every line of crawl.log: captures, dns: lookups, and what robots.txt forbids.
  std::map<std::string, int> log() const {
    std::map<std::string, int> lines;
    for (const auto& [url, answer] : answers_) lines[url] = std::stoi(answer.substr(9, 3));
    for (const auto& [host, addresses] : addresses()) lines["dns:" + host] = 1;
    lines["http://a.test/private/x"] = -9998;
    return lines;
  }
  // URL to word, of links that are found and not queued (logs.rejected-links).
  static std::map<std::string, std::string> unqueued() { return {{"http://outside.test/", "rejected"}}; }
  // Of captures, those that count as documents: all but robots.txt and what it redirects to.
  uint64_t documents() const { return answers_.size() - prerequisites_; }
  uint64_t requests() const { return requests_; }
  // Another URL, and all that is sent for it; not among captures() and log().
  void also_serve(const std::string& url, std::string answer) { others_[url] = std::move(answer); }
  // A document more, to which nothing leads: a seed. `answer` is all that is sent.
  void add(const std::string& url, std::string answer) { answers_[url] = std::move(answer); }
  // Called with each request as it arrives.
  std::function<void(const std::string& url, std::string_view head)> on_request;

 private:
  static aio::Task<void> serve(SimSite& site, std::unique_ptr<aio::Stream> stream) {
    return answer_heads(std::move(stream), [&site](const std::string& head) { return site.answer(head); });
  }

  Answer answer(std::string_view request) {
    ++requests_;
    const std::string url = url_of_request(request);
    if (on_request) on_request(url, request);
    if (url == kBusy && busy_++ < 2) return {plain("503 Busy\r\nRetry-After: 1", "later"), false};
    if (const auto other = others_.find(url); other != others_.end()) return {other->second, true};
    const auto found = answers_.find(url);
    if (found == answers_.end()) return {plain("500 Nobody links to this", url), true};
    return {found->second, found->second.contains("Connection: close")};
  }

  static std::string plain(std::string_view status, std::string_view body, std::string_view type = "text/html") {
    return fmt::format("HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n\r\n{}", status, type, body.size(),
                       body);
  }
  static std::string chunked(std::string_view body, size_t piece) {
    std::string out = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n";
    for (size_t i = 0; i < body.size(); i += piece)
      out += fmt::format("{:x}\r\n{}\r\n", std::min(piece, body.size() - i), body.substr(i, piece));
    return out + "0\r\n\r\n";
  }
  static std::string redirect(std::string_view status, std::string_view to) {
    // The same body everywhere, as servers have it.
    constexpr std::string_view kBody = "moved";
    return fmt::format("HTTP/1.1 {}\r\nLocation: {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}", status, to,
                       kBody.size(), kBody);
  }
  static std::string link(std::string_view to) { return fmt::format("<a href=\"{}\">{}</a>\n", to, to); }

  // What a page has beside its tree of links: the way to everything special.
  static std::string extras(std::string_view host, int number) {
    std::string out;
    if (host == "a.test" && number == 0)
      out = link("/private/x") + link("/missing") + link("/moved") + link("/same?") + link("http://outside.test/");
    if (host == "b.test" && number == 0) out = link("/busy") + link("/down");
    if (host == "c.test" && number == 2) out = link("/away");
    if (number % 3 == 1 && number < 3 * kImages)
      out += fmt::format("<img src=\"http://img.test/i{}.png\">\n", number / 3);
    return out;
  }

  void add_pages(const std::string& host, int count) {
    for (int number = 0; number < count; ++number) {
      std::string body = fmt::format("<html><head><title>{} {}</title></head><body>\n", host, number);
      for (const int child : {2 * number + 1, 2 * number + 2})
        if (child < count) body += link(fmt::format("/p{}", child));
      body += link(fmt::format("http://b.test/p{}", number % 20)) + link(fmt::format("/p{}", number / 2)) +
              extras(host, number);
      body += "</body></html>\n";
      const std::string url = fmt::format("http://{}/p{}", host, number);
      answers_[url] = number % 3 == 0 ? chunked(body, 100) : plain("200 OK", body);
    }
  }
  void add_images() {
    SeededRandom random(4711);
    for (int number = 0; number < kImages; ++number) {
      std::string bytes(number % 4 == 0 ? 230'000 : 2'000, '\0');
      for (char& byte : bytes) byte = static_cast<char>(random.below(256));
      answers_[fmt::format("http://img.test/i{}.png", number)] = plain("200 OK", bytes, "image/png");
    }
  }
  void add_specials() {
    answers_["http://a.test/robots.txt"] = plain("200 OK", "User-agent: *\nDisallow: /private/\n", "text/plain");
    answers_["http://b.test/robots.txt"] = plain("404 Not Found", link("/of-an-error-page"));
    answers_["http://c.test/robots.txt"] = chunked("User-agent: other\nDisallow: /\n", 7);
    answers_["http://img.test/robots.txt"] = redirect("301 Moved", "/rules.txt");
    answers_["http://img.test/rules.txt"] = plain("200 OK", "", "text/plain");
    prerequisites_ = 5;
    // Every site is asked for its icon.
    for (const char* host : {"a.test", "b.test", "c.test"})
      answers_[fmt::format("http://{}/favicon.ico", host)] = plain("404 Not Found", "no icon", "text/plain");
    answers_["http://a.test/missing"] = plain("404 Not Found", "<html>no such page</html>");
    answers_["http://a.test/moved"] = redirect("302 Found", "/landed");
    answers_["http://a.test/landed"] = plain("200 OK", "<html>here</html>");
    // The target has its source's crawl key, but is another URL.
    answers_["http://a.test/same?"] = redirect("301 Moved", "/same");
    answers_["http://a.test/same"] = plain("200 OK", "<html>the same</html>");
    answers_["http://a.test/from-c"] = plain("200 OK", "<html>from c</html>");
    answers_["http://c.test/away"] = redirect("301 Moved", "http://a.test/from-c");
    answers_[kBusy] = plain("200 OK", "<html>not busy any more</html>");
    answers_["http://b.test/down"] = plain("503 Down", "for ever");
  }

  static constexpr int kImages = 6;
  static constexpr const char* kBusy = "http://b.test/busy";
  std::map<std::string, std::string> answers_, others_;
  uint64_t prerequisites_ = 0;
  uint64_t requests_ = 0;
  int busy_ = 0;
};

}  // namespace caddis::testing
