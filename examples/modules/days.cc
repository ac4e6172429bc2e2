// A rule: calendars have no end, so days of theirs are told from other pages.
//
//   g++ -std=c++20 -shared -fPIC -I PREFIX/include days.cc -o days.so
//
//   modules:
//     load: [/usr/lib/caddis/days.so]
//   scope:
//     rules:
//       - shorthand
//       - reject module days            # everywhere
//       - reject module days events     # below /events/ alone
#include <caddis/modules/module.h>

#include <memory>
#include <regex>
#include <string>
#include <vector>

namespace {

class Days final : public caddis::modules::Rule {
 public:
  explicit Days(std::string_view section) : prefix_(section.empty() ? "" : "/" + std::string(section) + "/") {}

  bool holds(const caddis::modules::Link& link) override {
    if (link.path.substr(0, prefix_.size()) != prefix_) return false;
    return std::regex_search(link.path.begin(), link.path.end(), day_);
  }

 private:
  const std::string prefix_;
  const std::regex day_{R"(/\d{4}/\d{1,2}/\d{1,2}(/|$))"};
};

std::vector<caddis::modules::Description> describe() {
  caddis::modules::Description days;
  days.name = "days";
  days.doc = "Whether a URL is a day of a calendar.";
  days.make_rule = [](std::string_view section) { return std::make_unique<Days>(section); };
  return {days};
}

}  // namespace

CADDIS_MODULES(describe)
