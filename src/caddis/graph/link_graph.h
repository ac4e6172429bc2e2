// A link graph, made of links one by one, as three files:
//
//   <output>.edges.tsv   from TAB to TAB number of links, sorted by bytes
//   <output>.vertices    a vertex a line, sorted; the first one has the number 0
//   <output>.arcs        number TAB number, sorted: WebGraph's ArcListASCIIGraph
//
// Memory is bounded: edges are counted in a table, which goes into a sorter when it is full. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "caddis/base/error.h"
#include "caddis/base/string_hash.h"
#include "caddis/io/files.h"

namespace caddis::cdx {
class LineSorter;
}

namespace caddis::graph {

enum class Level : uint8_t { hosts, domains, pages };
std::optional<Level> level_named(std::string_view name);

// The vertex of a URL: its host, the registrable domain of that (the host itself if it has none), or the URL. Empty if it
// has none.
std::string_view vertex_of(std::string_view url, Level level);

class LinkGraph {
 public:
  struct Summary {
    uint64_t links = 0, edges = 0, vertices = 0;
    uint64_t left_out = 0;  // links without a vertex at one end
  };

  // `memory`: bytes for the table, and for each of the sorters in its turn. ErrorCode::conflict if one of the files is
  // there.
  static Result<std::unique_ptr<LinkGraph>> create(io::Files& files, std::string output, Level level, size_t memory);
  ~LinkGraph();
  LinkGraph(const LinkGraph&) = delete;
  LinkGraph& operator=(const LinkGraph&) = delete;

  Result<void> add(std::string_view from, std::string_view to);
  // Writes the files; once.
  Result<Summary> finish();

 private:
  LinkGraph(io::Files& files, std::string output, Level level, size_t memory);
  std::string path(std::string_view name) const { return output_ + std::string(name); }
  Result<void> let_go();
  Result<void> write_edges(cdx::LineSorter& vertices);
  Result<void> number_edges();
  Result<void> write_arcs(const std::string& by_target);
  Result<void> publish();

  io::Files& files_;
  const std::string output_;
  const Level level_;
  const size_t memory_;
  std::unordered_map<std::string, uint64_t, StringHash, std::equal_to<>> edges_;  // "from TAB to"
  size_t held_ = 0;
  uint64_t lots_ = 0;  // times that the table was let go
  std::string key_;    // of the link at hand
  std::unique_ptr<cdx::LineSorter> counted_;
  Summary summary_;
};

}  // namespace caddis::graph
