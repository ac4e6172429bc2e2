// A statistics tracker: how many documents and bytes there are of each type, in reports/by-type-report.txt.
//
//   g++ -std=c++20 -shared -fPIC -I PREFIX/include by_type.cc -o by_type.so
//
//   modules:
//     load: [/usr/lib/caddis/by_type.so]
#include <caddis/modules/module.h>

#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace {

class ByType final : public caddis::modules::Listener {
 public:
  void finished(const caddis::modules::Finished& visit) override {
    if (!visit.is_prerequisite && visit.status > 0) add(std::string(visit.mime), 1, visit.size);
  }
  std::string report() override { return "[#urls] [#bytes] [type]\n" + state(); }
  // A line for each type; kept if the crawl is stopped or dies.
  std::string state() override {
    std::ostringstream lines;
    for (const auto& [type, tally] : tallies_) lines << tally.documents << ' ' << tally.bytes << ' ' << type << '\n';
    return lines.str();
  }
  void restore(std::string_view state) override {
    std::istringstream lines{std::string(state)};
    uint64_t documents = 0, bytes = 0;
    std::string type;
    while (lines >> documents >> bytes && lines.get() == ' ' && std::getline(lines, type)) add(type, documents, bytes);
  }

 private:
  struct Tally {
    uint64_t documents = 0, bytes = 0;
  };
  void add(const std::string& type, uint64_t documents, uint64_t bytes) {
    // Servers may make up types.
    constexpr size_t kMost = 1000;
    Tally& tally = tallies_.size() < kMost || tallies_.count(type) > 0 ? tallies_[type] : tallies_["other"];
    tally.documents += documents;
    tally.bytes += bytes;
  }

  std::map<std::string, Tally> tallies_;
};

std::vector<caddis::modules::Description> describe() {
  caddis::modules::Description by_type;
  by_type.name = "by-type";
  by_type.doc = "Counts documents and bytes by type.";
  by_type.make_listener = [](const caddis::modules::Values&) { return std::make_unique<ByType>(); };
  return {by_type};
}

}  // namespace

CADDIS_MODULES(describe)
