// A YAML document as a tree, within bounds: what people write as settings, and what somebody makes who wants to see how
// much memory a settings file can take. yaml-cpp parses; it builds nothing.
//
// An alias costs what it stands for, each time: a file of a kilobyte whose aliases make a billion nodes is refused
// before it has them.
#pragma once

#include <cstddef>
#include <deque>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace caddis::settings {

struct YamlLimits {
  size_t nodes = 2'000'000;   // aliases resolved
  size_t bytes = 64'000'000;  // of text in scalars, aliases resolved
};

class YamlNode {
 public:
  enum class Kind { null, scalar, sequence, map };

  YamlNode(Kind kind, int line) : kind_(kind), line_(line) {}
  bool is_null() const { return kind_ == Kind::null; }
  bool is_scalar() const { return kind_ == Kind::scalar; }
  bool is_sequence() const { return kind_ == Kind::sequence; }
  bool is_map() const { return kind_ == Kind::map; }
  // From 1: where it stands in the file; of what an alias names, where that stands.
  int line() const { return line_; }
  // Of a scalar; otherwise empty.
  const std::string& text() const { return text_; }
  // Of a sequence.
  const std::vector<const YamlNode*>& items() const { return children_; }
  // Of a map, in the order of the file; names may be of any kind, and stand there twice.
  size_t entries() const { return children_.size() / 2; }
  const YamlNode& name(size_t entry) const { return *children_[2 * entry]; }
  const YamlNode& value(size_t entry) const { return *children_[2 * entry + 1]; }

 private:
  friend class YamlTreeBuilder;

  Kind kind_;
  int line_;
  std::string text_;
  std::vector<const YamlNode*> children_;  // of a map: name, value, name, value
};

class YamlTree {
 public:
  struct Problem {
    int line = 1;
    std::string reason;
  };

  // The first document of `text`; a null node where there is none.
  static std::expected<YamlTree, Problem> parse(std::string_view text, const YamlLimits& limits = {});
  const YamlNode& root() const { return *root_; }

 private:
  friend class YamlTreeBuilder;

  std::deque<YamlNode> nodes_;  // each once; nothing moves them
  const YamlNode* root_ = nullptr;
};

}  // namespace caddis::settings
