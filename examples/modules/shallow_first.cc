// A frontier in memory: pages near the root of their sites first, whatever the site.
//
//   g++ -std=c++20 -shared -fPIC -I PREFIX/include shallow_first.cc -o shallow_first.so
//
//   modules:
//     load: [/usr/lib/caddis/shallow_first.so]
//   frontier:
//     module: shallow-first
#include <caddis/modules/module.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace {

class ShallowFirst final : public caddis::modules::Frontier {
 public:
  explicit ShallowFirst(std::string last) : last_(std::move(last)) {}

  void add(uint64_t id, const caddis::modules::Link& url) override {
    const auto depth = url.path.starts_with(last_) ? std::numeric_limits<int64_t>::max()
                                                   : std::count(url.path.begin(), url.path.end(), '/');
    lines_[depth].push_back(id);
  }

  std::optional<uint64_t> next() override {
    if (lines_.empty()) return {};
    const auto line = lines_.begin();
    const uint64_t id = line->second.front();
    line->second.pop_front();
    if (line->second.empty()) lines_.erase(line);
    return id;
  }

 private:
  const std::string last_;
  std::map<int64_t, std::deque<uint64_t>> lines_;  // ids by the depth of their URLs
};

std::vector<caddis::modules::Description> describe() {
  caddis::modules::Setting last;
  last.name = "last";
  last.default_value = "/archive/";
  last.doc = "Paths that begin like this come last of all.";
  caddis::modules::Description shallow;
  shallow.name = "shallow-first";
  shallow.doc = "Visits pages near the root of their sites first.";
  shallow.settings = {last};
  shallow.make_frontier = [](const caddis::modules::Values& settings) {
    return std::make_unique<ShallowFirst>(settings.text("last"));
  };
  return {shallow};
}

}  // namespace

CADDIS_MODULES(describe)
