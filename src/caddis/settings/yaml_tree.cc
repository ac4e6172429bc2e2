#include "caddis/settings/yaml_tree.h"

#include <fmt/format.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <istream>
#include <streambuf>
#include <unordered_map>

namespace caddis::settings {
namespace {

// Thrown through the parser, by which nothing else gets out of it.
struct TooMuch {
  YamlTree::Problem problem;
};

// The text, without a copy of it.
class ViewBuffer : public std::streambuf {
 public:
  explicit ViewBuffer(std::string_view text) {
    char* const begin = const_cast<char*>(text.data());
    setg(begin, begin, begin + text.size());
  }
};

std::string_view line_at(std::string_view text, int number) {
  for (; number > 1 && !text.empty(); --number) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  return text.substr(0, text.find('\n'));
}

// An error of the parser, for people who do not know how it parses.
std::string words_of(std::string_view error, std::string_view line) {
  const size_t begin = line.find_first_not_of(' ');
  if (begin != std::string_view::npos && line[begin] == '\t') return "it is indented by a tab: indent it with blanks";
  if (error == YAML::ErrorMsg::END_OF_SEQ_FLOW)
    return "a list that [ begins has no ] at its end (or a comma is missing)";
  if (error == YAML::ErrorMsg::END_OF_MAP_FLOW)
    return "a map that { begins has no } at its end (or a comma is missing)";
  if (error == YAML::ErrorMsg::MAP_VALUE)
    return "a colon where none may be: put a value that has one into quotes; or the line is indented too far, or the "
           "line before it lacks its colon";
  if (error == YAML::ErrorMsg::END_OF_MAP || error == YAML::ErrorMsg::END_OF_SEQ)
    return "it does not stand below the line that it belongs to: indent all settings of a section alike";
  return fmt::format("{}: this is no YAML; put a value that has signs in it into quotes", error);
}

}  // namespace

class YamlTreeBuilder : public YAML::EventHandler {
 public:
  explicit YamlTreeBuilder(const YamlLimits& limits) : limits_(limits) {}

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { leaf(YamlNode::Kind::null, mark, anchor, {}); }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor, const std::string& value) override {
    leaf(YamlNode::Kind::scalar, mark, anchor, value);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto named = anchors_.find(anchor);
    if (named == anchors_.end() || !named->second.is_whole)
      throw TooMuch{{mark.line + 1, "an alias stands within what it repeats"}};
    spend(mark, named->second.nodes, named->second.bytes);
    hang(*named->second.node);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::sequence, mark, anchor);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::map, mark, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

  YamlTree finish() {
    if (tree_.root_ == nullptr) tree_.root_ = &tree_.nodes_.emplace_back(YamlNode::Kind::null, 1);
    return std::move(tree_);
  }

 private:
  struct Named {
    const YamlNode* node;
    size_t nodes, bytes;
    bool is_whole;
  };
  struct Open {
    YamlNode* node;
    YAML::anchor_t anchor;
    size_t nodes, bytes;  // spent before it
  };

  void spend(const YAML::Mark& mark, size_t nodes, size_t bytes) {
    if (nodes > limits_.nodes - nodes_)
      throw TooMuch{{mark.line + 1, fmt::format("more than {} values, aliases counted as often as they stand there: "
                                                "this is no settings file (many seeds are given with --seeds FILE)",
                                                limits_.nodes)}};
    if (bytes > limits_.bytes - bytes_)
      throw TooMuch{{mark.line + 1, fmt::format("more than {} bytes of text, aliases counted as often as they stand "
                                                "there: this is no settings file",
                                                limits_.bytes)}};
    nodes_ += nodes;
    bytes_ += bytes;
  }

  YamlNode& add(YamlNode::Kind kind, const YAML::Mark& mark, size_t bytes) {
    spend(mark, 1, bytes);
    YamlNode& node = tree_.nodes_.emplace_back(kind, mark.line + 1);
    hang(node);
    return node;
  }

  void hang(const YamlNode& node) {
    if (!open_.empty())
      open_.back().node->children_.push_back(&node);
    else if (tree_.root_ == nullptr)
      tree_.root_ = &node;
  }

  void leaf(YamlNode::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor, const std::string& text) {
    YamlNode& node = add(kind, mark, text.size());
    node.text_ = text;
    if (anchor != YAML::NullAnchor) anchors_[anchor] = {&node, 1, text.size(), true};
  }

  void open(YamlNode::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    const size_t nodes = nodes_, bytes = bytes_;
    YamlNode& node = add(kind, mark, 0);
    if (anchor != YAML::NullAnchor) anchors_[anchor] = {&node, 0, 0, false};
    open_.push_back({&node, anchor, nodes, bytes});
  }

  void close() {
    const Open closed = open_.back();
    open_.pop_back();
    if (closed.node->is_map() && closed.node->children_.size() % 2 != 0) closed.node->children_.pop_back();
    if (closed.anchor != YAML::NullAnchor)
      anchors_[closed.anchor] = {closed.node, nodes_ - closed.nodes, bytes_ - closed.bytes, true};
  }

  const YamlLimits limits_;
  YamlTree tree_;
  std::vector<Open> open_;  // innermost last
  std::unordered_map<YAML::anchor_t, Named> anchors_;
  size_t nodes_ = 0, bytes_ = 0;
};

std::expected<YamlTree, YamlTree::Problem> YamlTree::parse(std::string_view text, const YamlLimits& limits) {
  ViewBuffer buffer(text);
  std::istream input(&buffer);
  YamlTreeBuilder builder(limits);
  try {
    YAML::Parser parser(input);
    parser.HandleNextDocument(builder);
  } catch (const TooMuch& stopped) {
    return std::unexpected(stopped.problem);
  } catch (const YAML::DeepRecursion& error) {  // hundreds of levels; yaml-cpp parses by recursion
    return std::unexpected(Problem{error.mark.line + 1, "nested too deep for settings"});
  } catch (const YAML::Exception& error) {
    const int line = error.mark.is_null() ? 1 : error.mark.line + 1;
    return std::unexpected(Problem{line, words_of(error.msg, line_at(text, line))});
  }
  return builder.finish();
}

}  // namespace caddis::settings
