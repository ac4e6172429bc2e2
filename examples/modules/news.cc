// A policy: sections that matter come first in their queues, searches cost more, and numbered servers are one.
//
//   g++ -std=c++20 -shared -fPIC -I PREFIX/include news.cc -o news.so
//
//   modules:
//     load: [/usr/lib/caddis/news.so]
//   frontier:
//     policy: news
//     order: module
//     cost: module
//   politeness:
//     together: module
//   news:
//     first: [/politics/, /economy/]
#include <caddis/modules/module.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <string>
#include <vector>

namespace {

class News final : public caddis::modules::Policy {
 public:
  explicit News(std::vector<std::string> first) : first_(std::move(first)) {}

  int precedence(const caddis::modules::Link& link) override {
    const auto found = std::find_if(first_.begin(), first_.end(),
                                    [&](const std::string& path) { return link.path.starts_with(path); });
    return static_cast<int>(std::min<std::ptrdiff_t>(found - first_.begin(), 61));
  }

  int cost(const caddis::modules::Link& link) override { return link.url.find('?') == link.url.npos ? 1 : 3; }

  // img1.example.org and img2.example.org are polite together.
  std::string group(std::string_view host) override {
    const size_t dot = std::min(host.find('.'), host.size());
    size_t end = dot;
    while (end > 0 && std::isdigit(static_cast<unsigned char>(host[end - 1])) != 0) --end;
    return std::string(host.substr(0, end)) + std::string(host.substr(dot));
  }

 private:
  const std::vector<std::string> first_;
};

std::vector<caddis::modules::Description> describe() {
  caddis::modules::Setting first;
  first.name = "first";
  first.kind = caddis::modules::Kind::list;
  first.default_value = "/news/";
  first.doc = "Paths that begin like one of these come first, in this order.";
  caddis::modules::Description news;
  news.name = "news";
  news.doc = "Orders the pages of newspapers.";
  news.settings = {first};
  news.make_policy = [](const caddis::modules::Values& settings) {
    return std::make_unique<News>(settings.list("first"));
  };
  return {news};
}

}  // namespace

CADDIS_MODULES(describe)
