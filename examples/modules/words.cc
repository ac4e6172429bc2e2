// A step with a setting: pages with few words are not stored.
//
//   g++ -std=c++20 -shared -fPIC -I PREFIX/include words.cc -o words.so
//
//   modules:
//     load: [/usr/lib/caddis/words.so]
//   pipeline:
//     url: [preselect, precondition, fetch, decode, extract, words, records, links]
//   words:
//     min: 20
#include <caddis/modules/module.h>

#include <memory>
#include <string>
#include <vector>

namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

int64_t words_in(std::string_view html) {
  int64_t words = 0;
  bool is_in_tag = false, is_in_word = false;
  for (const char c : html) {
    if (c == '<') is_in_tag = true;
    const bool is_text = !is_in_tag && !is_space(c);
    if (is_text && !is_in_word) ++words;
    is_in_word = is_text;
    if (c == '>') is_in_tag = false;
  }
  return words;
}

class Words final : public caddis::modules::Step {
 public:
  void run(caddis::modules::Page& page) override {
    if (page.status() != 200 || page.mime() != "text/html") return;
    const int64_t words = words_in(page.body());
    page.annotate("words:" + std::to_string(words));
    page.add_metadata("words", std::to_string(words));
    if (words < page.settings().number("min")) page.leave_out();
  }
};

std::vector<caddis::modules::Description> describe() {
  caddis::modules::Setting min;
  min.name = "min";
  min.kind = caddis::modules::Kind::number;
  min.default_value = "20";
  min.min = "0";
  min.max = "1000000";
  min.doc = "Pages with fewer words are not stored.";

  caddis::modules::Description words;
  words.name = "words";
  words.doc = "Leaves out pages with few words.";
  words.settings = {min};
  words.make_step = [] { return std::make_unique<Words>(); };
  return {words};
}

}  // namespace

CADDIS_MODULES(describe)
