// Vertices are numbered by sorting: edges in the order of their sources meet the sorted vertices once, and once more in
// the order of their targets.
//
//   table → counted ─► edges.tsv, names ─► vertices
//   edges.tsv + vertices ─► "target TAB number of source", sorted
//   that + vertices ─► "number TAB number" of fixed width, sorted ─► arcs
#include "caddis/graph/link_graph.h"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/cdx/line_sorter.h"
#include "caddis/io/new_text_file.h"
#include "caddis/io/text_lines.h"
#include "caddis/logs/log_line.h"
#include "caddis/url/domain.h"

namespace caddis::graph {
namespace {

constexpr std::array<std::string_view, 3> kLevels = {"hosts", "domains", "pages"};
constexpr std::array<std::string_view, 3> kOutputs = {".edges.tsv", ".vertices", ".arcs"};
constexpr std::string_view kUnfinished = ".tmp";
constexpr size_t kPerEntry = 64;  // of the table, beside its text

// The sorted vertices, one after the other, with their numbers.
class Numbers {
 public:
  static Result<Numbers> open(io::Files& files, const std::string& path) {
    TRY(auto lines, io::TextLines::open(files, path));
    return Numbers(std::move(lines));
  }
  // Names come in the order of the vertices.
  Result<uint64_t> of(std::string_view name) {
    while (name_ != name) {
      TRY(const auto line, lines_->next());
      if (!line) return fail(ErrorCode::corrupt, fmt::format("'{}' is no vertex", name));
      name_ = *line;
      ++number_;
    }
    return number_ - 1;
  }

 private:
  explicit Numbers(std::unique_ptr<io::TextLines> lines) : lines_(std::move(lines)) {}
  std::unique_ptr<io::TextLines> lines_;
  std::string name_ = "\n";  // none has this name
  uint64_t number_ = 0;
};

// Calls use(parts) with the fields of each line.
template <class Use>
Result<void> each_line(io::Files& files, const std::string& path, const Use& use) {
  TRY(const auto lines, io::TextLines::open(files, path));
  for (;;) {
    TRY(const auto line, lines->next());
    if (!line) return {};
    TRY_VOID(use(split(*line, '\t')));
  }
}

}  // namespace

std::optional<Level> level_named(std::string_view name) {
  for (size_t i = 0; i < kLevels.size(); ++i)
    if (kLevels[i] == name) return static_cast<Level>(i);
  return std::nullopt;
}

std::string_view vertex_of(std::string_view url, Level level) {
  for (const char c : url)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return {};
  if (level == Level::pages) return url;
  const std::string_view host = logs::host_of(url);
  if (level == Level::hosts) return host;
  const std::string_view domain = url::registrable_domain(host);
  return domain.empty() ? host : domain;
}

LinkGraph::LinkGraph(io::Files& files, std::string output, Level level, size_t memory)
    : files_(files), output_(std::move(output)), level_(level), memory_(memory) {
  counted_ = std::make_unique<cdx::LineSorter>(files_, path(".counted"), memory_);
}
LinkGraph::~LinkGraph() = default;

Result<std::unique_ptr<LinkGraph>> LinkGraph::create(io::Files& files, std::string output, Level level, size_t memory) {
  for (const std::string_view name : kOutputs)
    if (files.exists(output + std::string(name)))
      return fail(ErrorCode::conflict, fmt::format("{}{} is there: name another output", output, name));
  return std::unique_ptr<LinkGraph>(new LinkGraph(files, std::move(output), level, memory));
}

Result<void> LinkGraph::add(std::string_view from, std::string_view to) {
  const std::string_view source = vertex_of(from, level_), target = vertex_of(to, level_);
  ++summary_.links;
  if (source.empty() || target.empty()) return ++summary_.left_out, Result<void>();
  key_.assign(source).append(1, '\t').append(target);
  if (const auto known = edges_.find(std::string_view(key_)); known != edges_.end())
    return ++known->second, Result<void>();
  held_ += key_.size() + kPerEntry;
  edges_.emplace(key_, 1);
  return held_ >= memory_ ? let_go() : Result<void>();
}

// Lines of several lots differ, so that the sorter keeps them all.
Result<void> LinkGraph::let_go() {
  ++lots_;
  for (const auto& [edge, links] : edges_) TRY_VOID(counted_->add(fmt::format("{}\t{}\t{}", edge, links, lots_)));
  edges_.clear();
  held_ = 0;
  return {};
}

// Adds up the lots, and gathers vertices.
Result<void> LinkGraph::write_edges(cdx::LineSorter& vertices) {
  TRY(auto writer, io::NewTextFile::create(files_, path(".edges.tsv")));
  std::string edge;
  uint64_t links = 0;
  const auto write = [&]() -> Result<void> {
    if (edge.empty()) return {};
    ++summary_.edges;
    const size_t tab = edge.find('\t');
    TRY_VOID(vertices.add(edge.substr(0, tab)));
    TRY_VOID(vertices.add(edge.substr(tab + 1)));
    return writer.add(fmt::format("{}\t{}", edge, links));
  };
  TRY_VOID(each_line(files_, path(".counted"), [&](const std::vector<std::string_view>& parts) -> Result<void> {
    key_.assign(parts[0]).append(1, '\t').append(parts[1]);
    if (key_ != edge) {
      TRY_VOID(write());
      edge = key_;
      links = 0;
    }
    links += static_cast<uint64_t>(parse_int(parts[2]).value_or(0));
    return {};
  }));
  TRY_VOID(write());
  return writer.seal();
}

Result<void> LinkGraph::number_edges() {
  const std::string by_target = path(".by-target");
  cdx::LineSorter sorter(files_, by_target, memory_);
  TRY(auto numbers, Numbers::open(files_, path(".vertices") + std::string(kUnfinished)));
  TRY_VOID(each_line(files_, path(".edges.tsv") + std::string(kUnfinished),
                     [&](const std::vector<std::string_view>& parts) -> Result<void> {
                       TRY(const uint64_t source, numbers.of(parts[0]));
                       return sorter.add(fmt::format("{}\t{:020}", parts[1], source));
                     }));
  TRY_VOID(sorter.finish());
  TRY_VOID(write_arcs(by_target));
  return files_.remove(by_target);
}

Result<void> LinkGraph::write_arcs(const std::string& by_target) {
  const std::string wide = path(".wide");
  cdx::LineSorter sorter(files_, wide, memory_);
  TRY(auto numbers, Numbers::open(files_, path(".vertices") + std::string(kUnfinished)));
  TRY_VOID(each_line(files_, by_target, [&](const std::vector<std::string_view>& parts) -> Result<void> {
    TRY(const uint64_t target, numbers.of(parts[0]));
    return sorter.add(fmt::format("{}\t{:020}", parts[1], target));
  }));
  TRY_VOID(sorter.finish());
  TRY(auto writer, io::NewTextFile::create(files_, path(".arcs")));
  TRY_VOID(each_line(files_, wide, [&](const std::vector<std::string_view>& parts) {
    return writer.add(fmt::format("{}\t{}", parse_int(parts[0]).value_or(0), parse_int(parts[1]).value_or(0)));
  }));
  TRY_VOID(writer.seal());
  return files_.remove(wide);
}

Result<void> LinkGraph::publish() {
  for (const std::string_view name : kOutputs)
    if (files_.exists(path(name))) return fail(ErrorCode::conflict, path(name) + " has appeared meanwhile");
  for (const std::string_view name : kOutputs)
    TRY_VOID(files_.rename(path(name) + std::string(kUnfinished), path(name)));
  return files_.sync_dir(io::parent_path(output_));
}

Result<LinkGraph::Summary> LinkGraph::finish() {
  TRY_VOID(let_go());
  TRY_VOID(counted_->finish());
  cdx::LineSorter vertices(files_, path(".vertices") + std::string(kUnfinished), memory_);
  TRY_VOID(write_edges(vertices));
  TRY_VOID(files_.remove(path(".counted")));
  TRY(summary_.vertices, vertices.finish());
  TRY_VOID(number_edges());
  TRY_VOID(publish());
  return summary_;
}

}  // namespace caddis::graph
