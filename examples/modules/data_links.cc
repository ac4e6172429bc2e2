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
#include <regex>
#include <string_view>
#include <vector>

namespace {

class DataLinks final : public caddis::modules::Step {
 public:
  void run(caddis::modules::Page& page) override {
    if (page.mime() != "text/html") return;
    using Match = std::regex_iterator<std::string_view::const_iterator>;
    const std::string_view body = page.body();
    for (Match match(body.begin(), body.end(), link_); match != Match(); ++match) {
      const auto& url = (*match)[1];
      page.add_link(std::string_view(&*url.first, static_cast<size_t>(url.length())), 'L', "data-href");
    }
  }

 private:
  const std::regex link_{R"(\sdata-href\s*=\s*["']([^"'<>]+)["'])", std::regex::icase};
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
