#include "caddis/graph/link_graph.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/random.h"
#include "caddis/base/strings.h"
#include "caddis/io/memory_files.h"

namespace caddis::graph {
namespace {

class LinkGraphTest : public testing::Test {
 protected:
  LinkGraphTest() { EXPECT_TRUE(files_.make_dirs("/g")); }
  std::vector<std::vector<std::string>> rows(const std::string& path) {
    std::vector<std::vector<std::string>> all;
    const std::string text = *files_.read_all(path);
    for (const std::string_view line : split(text, '\n')) {
      if (line.empty()) continue;
      auto& row = all.emplace_back();
      for (const std::string_view part : split(line, '\t')) row.emplace_back(part);
    }
    return all;
  }
  io::MemoryFiles files_;
};

TEST_F(LinkGraphTest, VertexOfUrl) {
  EXPECT_EQ(vertex_of("http://www.a.example:8080/x", Level::hosts), "www.a.example");
  EXPECT_EQ(vertex_of("http://www.shop.example.com/x", Level::domains), "example.com");
  EXPECT_EQ(vertex_of("http://192.0.2.1/x", Level::domains), "192.0.2.1");
  EXPECT_EQ(vertex_of("http://a/x?y", Level::pages), "http://a/x?y");
  EXPECT_EQ(vertex_of("mailto:a@b", Level::hosts), "");
  EXPECT_EQ(vertex_of("http://a/\tb", Level::pages), "");
}

TEST_F(LinkGraphTest, SmallGraph) {
  auto graph = LinkGraph::create(files_, "/g/x", Level::hosts, 1 << 20);
  ASSERT_TRUE(graph);
  for (const auto& [from, to] : {std::pair("http://b/1", "http://a/"),
                                 {"http://b/2", "http://a/x"},
                                 {"http://a/", "http://c/"},
                                 {"http://a/", "http://a/2"},
                                 {"http://a/", "mailto:x"}})
    ASSERT_TRUE((*graph)->add(from, to));
  const auto made = (*graph)->finish();
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->links, 5u);
  EXPECT_EQ(made->edges, 3u);
  EXPECT_EQ(made->vertices, 3u);
  EXPECT_EQ(made->left_out, 1u);
  EXPECT_EQ(*files_.read_all("/g/x.edges.tsv"), "a\ta\t1\na\tc\t1\nb\ta\t2\n");
  EXPECT_EQ(*files_.read_all("/g/x.vertices"), "a\nb\nc\n");
  EXPECT_EQ(*files_.read_all("/g/x.arcs"), "0\t0\n0\t2\n1\t0\n");
  EXPECT_EQ(files_.list("/g")->size(), 3u) << "nothing else is left behind";
  EXPECT_EQ(LinkGraph::create(files_, "/g/x", Level::hosts, 1 << 20).error().code, ErrorCode::conflict);
}

// Against a graph in memory, with so little memory that all is sorted in runs.
TEST_F(LinkGraphTest, ManyRuns) {
  SeededRandom random(7);
  std::map<std::pair<std::string, std::string>, uint64_t> expected;
  auto graph = LinkGraph::create(files_, "/g/x", Level::pages, 4096);
  ASSERT_TRUE(graph);
  for (int i = 0; i < 20'000; ++i) {
    const std::string from = "http://h/" + std::to_string(random.below(60)),
                      to = "http://h/" + std::to_string(random.below(300));
    ++expected[{from, to}];
    ASSERT_TRUE((*graph)->add(from, to));
  }
  const auto made = (*graph)->finish();
  ASSERT_TRUE(made) << made.error().message;
  std::set<std::string> names;
  std::vector<std::vector<std::string>> edges;
  for (const auto& [edge, links] : expected) {
    names.insert({edge.first, edge.second});
    edges.push_back({edge.first, edge.second, std::to_string(links)});
  }
  EXPECT_EQ(rows("/g/x.edges.tsv"), edges);
  const std::vector<std::string> numbered(names.begin(), names.end());
  const auto vertices = rows("/g/x.vertices");
  ASSERT_EQ(vertices.size(), numbered.size());
  for (size_t i = 0; i < vertices.size(); ++i) EXPECT_EQ(vertices[i].front(), numbered[i]);
  const auto arcs = rows("/g/x.arcs");
  ASSERT_EQ(arcs.size(), edges.size());
  std::pair<int64_t, int64_t> last = {-1, -1};
  for (const auto& arc : arcs) {
    const std::pair now(*parse_int(arc[0]), *parse_int(arc[1]));
    EXPECT_LT(last, now);
    last = now;
    EXPECT_TRUE(
        expected.contains({numbered[static_cast<size_t>(now.first)], numbered[static_cast<size_t>(now.second)]}));
  }
}

TEST_F(LinkGraphTest, NoLinks) {
  auto graph = LinkGraph::create(files_, "/g/x", Level::hosts, 4096);
  ASSERT_TRUE(graph);
  ASSERT_TRUE((*graph)->finish());
  EXPECT_EQ(*files_.read_all("/g/x.arcs"), "");
}

}  // namespace
}  // namespace caddis::graph
