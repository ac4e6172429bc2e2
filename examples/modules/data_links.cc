// An extractor: links that stand in data-href attributes, which browsers do not follow and scripts do.
//
//   g++ -std=c++20 -shared -fPIC -I PREFIX/include data_links.cc -o data_links.so
//
//   modules:
//     load: [/usr/lib/caddis/data_links.so]
//   pipeline:
//     url: [preselect, precondition, fetch, decode, extract, data-links, records, links]
#include <caddis/modules/module.h>

#include <memory>
#include <string_view>
#include <vector>

namespace {

class DataLinks final : public caddis::modules::Step {
 public:
  void run(caddis::modules::Page& page) override {
    if (page.mime() != "text/html") return;
    // By hand: std::regex needs more stack the longer a match is, and bodies come from anybody.
    constexpr std::string_view kAttribute = " data-href=";
    const std::string_view body = page.body();
    for (size_t at = body.find(kAttribute); at != body.npos; at = body.find(kAttribute, at + 1)) {
      const size_t begin = at + kAttribute.size() + 1;
      if (begin >= body.size()) return;
      const size_t end = body.find(body[begin - 1], begin);
      if (end == body.npos) return;
      const std::string_view url = body.substr(begin, end - begin);
      if (!url.empty() && url.find_first_of("<>") == url.npos) page.add_link(url, 'L', "data-href");
    }
  }
};

std::vector<caddis::modules::Description> describe() {
  caddis::modules::Description links;
  links.name = "data-links";
  links.doc = "Finds the links in data-href attributes.";
  links.make_step = [] { return std::make_unique<DataLinks>(); };
  return {links};
}

}  // namespace

CADDIS_MODULES(describe)
