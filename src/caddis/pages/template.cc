#include "caddis/pages/template.h"

#include <algorithm>
#include <optional>

#include "caddis/base/html_text.h"
#include "caddis/base/percent.h"
#include "caddis/base/strings.h"
#include "caddis/pages/date_words.h"
#include "caddis/text/locale_format.h"

namespace caddis::pages {
namespace {

constexpr size_t kDeepest = 32;          // sections in sections
constexpr size_t kDeepestPartials = 16;  // partials in partials
constexpr std::string_view kFormats[] = {"number", "date", "day", "weekday", "month", "url"};

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (const std::string_view word : split(text, ' '))
    if (!word.empty()) words.push_back(word);
  return words;
}

}  // namespace

class Template::Parser {
 public:
  Parser(std::string_view source, std::string_view name) : source_(source), name_(name) {}

  Result<std::vector<Node>> run() {
    TRY(auto nodes, nodes_until("", 0));
    return nodes;
  }

 private:
  struct Tag {
    std::string_view text;  // between the braces
    size_t begin = 0, end = 0;
  };

  std::unexpected<Error> wrong(std::string_view what) const {
    const auto line = 1 + std::ranges::count(source_.substr(0, at_), '\n');
    return fail(ErrorCode::parse, std::string(name_) + ", line " + std::to_string(line) + ": " + std::string(what));
  }

  Result<std::vector<Node>> nodes_until(std::string_view section, size_t depth) {
    if (depth > kDeepest) return wrong("sections are nested too deep");
    std::vector<Node> nodes;
    for (;;) {
      const size_t begin = source_.find("{{", at_);
      if (begin == std::string_view::npos) {
        if (!section.empty()) return wrong("the section '" + std::string(section) + "' is not closed");
        add_text(nodes, at_, source_.size());
        return nodes;
      }
      const size_t close = source_.find("}}", begin);
      const size_t text_begin = at_;
      at_ = begin;
      if (close == std::string_view::npos) return wrong("'{{' is not closed");
      Tag tag{trim(source_.substr(begin + 2, close - begin - 2)), begin, close + 2};
      if (tag.text.empty()) return wrong("'{{}}' has no name");
      const bool leaves_no_trace = std::string_view("#^/>!").contains(tag.text.front());
      if (leaves_no_trace) widen(tag);
      add_text(nodes, text_begin, std::max(text_begin, tag.begin));
      at_ = tag.end;
      if (tag.text.front() == '/') {
        if (trim(tag.text.substr(1)) != section)
          return wrong("'{{" + std::string(tag.text) + "}}' closes no section; open is '" + std::string(section) + "'");
        return nodes;
      }
      TRY_VOID(add(nodes, tag.text, depth));
    }
  }

  // A tag alone on its line takes the line.
  void widen(Tag& tag) const {
    size_t begin = tag.begin;
    while (begin > 0 && (source_[begin - 1] == ' ' || source_[begin - 1] == '\t')) --begin;
    size_t end = tag.end;
    while (end < source_.size() && (source_[end] == ' ' || source_[end] == '\t')) ++end;
    const bool is_alone = (begin == 0 || source_[begin - 1] == '\n') && (end == source_.size() || source_[end] == '\n');
    if (!is_alone) return;
    tag.begin = begin;
    tag.end = std::min(end + 1, source_.size());
  }

  void add_text(std::vector<Node>& nodes, size_t begin, size_t end) const {
    if (begin < end) nodes.push_back({Node::Kind::text, std::string(source_.substr(begin, end - begin)), "", {}, {}});
  }

  Result<void> add(std::vector<Node>& nodes, std::string_view tag, size_t depth) {
    const std::string_view name = trim(tag.substr(1));
    switch (tag.front()) {
      case '!':
        return {};
      case '>':
        nodes.push_back({Node::Kind::partial, std::string(name), "", {}, {}});
        return {};
      case '#':
      case '^': {
        Node node{tag.front() == '#' ? Node::Kind::section : Node::Kind::inverted, std::string(name), "", {}, {}};
        TRY(node.children, nodes_until(node.text, depth + 1));
        nodes.push_back(std::move(node));
        return {};
      }
      default:
        return add_value(nodes, tag);
    }
  }

  Result<void> add_value(std::vector<Node>& nodes, std::string_view tag) {
    const auto words = words_of(tag);
    if (words.size() == 1) {
      nodes.push_back({Node::Kind::value, std::string(words[0]), "", {}, {}});
      return {};
    }
    if (words[0] == "t") {
      Node node{Node::Kind::message, std::string(words[1]), "", {}, {}};
      for (size_t i = 2; i < words.size(); ++i) {
        const size_t equals = words[i].find('=');
        if (equals == std::string_view::npos) return wrong("a message is given values as name=value");
        node.arguments.emplace_back(words[i].substr(0, equals), words[i].substr(equals + 1));
      }
      nodes.push_back(std::move(node));
      return {};
    }
    if (words.size() != 2 || std::ranges::find(kFormats, words[0]) == std::end(kFormats))
      return wrong("'" + std::string(tag) + "' is no value: known are number, date, day, weekday, month, url and t");
    nodes.push_back({Node::Kind::value, std::string(words[1]), std::string(words[0]), {}, {}});
    return {};
  }

  std::string_view source_, name_;
  size_t at_ = 0;
};

class Template::Filler {
 public:
  Filler(const Messages& messages, const Find& partials) : messages_(messages), partials_(partials) {}

  void fill(const std::vector<Node>& nodes) {
    for (const Node& node : nodes) fill(node);
  }

  std::vector<const Data*> around;  // the innermost last
  std::string out;

 private:
  void fill(const Node& node) {
    switch (node.kind) {
      case Node::Kind::text:
        out += node.text;
        break;
      case Node::Kind::value:
        if (const Data* const value = find(node.text)) add_value(*value, node.format);
        break;
      case Node::Kind::section:
        add_section(node);
        break;
      case Node::Kind::inverted: {
        const Data* const value = find(node.text);
        if (value == nullptr || !value->holds()) fill(node.children);
        break;
      }
      case Node::Kind::partial: {
        const Template* const other = depth_ < kDeepestPartials ? partials_(node.text) : nullptr;
        if (other == nullptr) break;
        ++depth_;
        fill(other->nodes_);
        --depth_;
        break;
      }
      case Node::Kind::message: {
        Data values;
        for (const auto& [name, path] : node.arguments)
          if (const Data* const value = find(path)) values.set(name, *value);
        out += html_escape(messages_.text(node.text, values));
        break;
      }
    }
  }

  void add_section(const Node& node) {
    const Data* const value = find(node.text);
    if (value == nullptr || !value->holds()) return;
    if (const Data::List* const list = value->list()) {
      for (const Data& item : *list) add_children(node, item);
      return;
    }
    add_children(node, *value);
  }

  void add_children(const Node& node, const Data& inside) {
    around.push_back(&inside);
    fill(node.children);
    around.pop_back();
  }

  // The first name of the path in the innermost that has it, then its members.
  const Data* find(std::string_view path) const {
    if (path == ".") return around.back();
    const size_t dot = path.find('.');
    const Data* found = nullptr;
    for (size_t i = around.size(); i > 0 && found == nullptr; --i) found = around[i - 1]->find(path.substr(0, dot));
    while (found != nullptr && path.find('.') != std::string_view::npos) {
      path.remove_prefix(path.find('.') + 1);
      found = found->find(path.substr(0, path.find('.')));
    }
    return found;
  }

  void add_value(const Data& value, std::string_view format) {
    if (const Data::Html* const html = value.html())
      out += html->text;
    else if (format.empty())
      out += html_escape(value.text());
    else if (format == "url")
      out += percent_encoded(value.text());
    else if (format == "number")
      out += html_escape(number_of(value));
    else
      out += html_escape(date_words(value.text(), format, messages_.language()));
  }

  std::string number_of(const Data& value) const {
    if (const int64_t* const number = value.number()) return text::format_number(messages_.language().locale, *number);
    const auto parsed = parse_int(value.text());
    return parsed ? text::format_number(messages_.language().locale, *parsed) : value.text();
  }

  const Messages& messages_;
  const Find& partials_;
  size_t depth_ = 0;
};

Result<Template> Template::parse(std::string_view source, std::string_view name) {
  Template made;
  TRY(made.nodes_, Parser(source, name).run());
  return made;
}

std::string Template::fill(const Data& data, const Messages& messages, const Find& partials) const {
  Filler filler(messages, partials);
  filler.around.push_back(&data);
  filler.fill(nodes_);
  return std::move(filler.out);
}

std::set<std::string> Template::partials() const {
  std::set<std::string> names;
  each(nodes_, [&](const Node& node) {
    if (node.kind == Node::Kind::partial) names.insert(node.text);
  });
  return names;
}

std::vector<std::pair<std::string, std::set<std::string>>> Template::messages() const {
  std::vector<std::pair<std::string, std::set<std::string>>> found;
  each(nodes_, [&](const Node& node) {
    if (node.kind != Node::Kind::message) return;
    std::set<std::string> names;
    for (const auto& [name, path] : node.arguments) names.insert(name);
    found.emplace_back(node.text, std::move(names));
  });
  return found;
}

}  // namespace caddis::pages
