#include "caddis/documents/fields.h"

#include <algorithm>
#include <optional>
#include <string>

#include "caddis/base/strings.h"

namespace caddis::documents {
namespace {

// The next word, or the text between quotation marks, where a backslash stands before what it is to be taken for.
// Empty at the end.
std::string next_argument(std::string_view& text, bool& is_quoted) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  std::string argument;
  is_quoted = !text.empty() && text.front() == '"';
  if (is_quoted) text.remove_prefix(1);
  while (!text.empty()) {
    const char c = text.front();
    if (is_quoted ? c == '"' : is_space(c)) break;
    text.remove_prefix(1);
    const bool is_escape = is_quoted && c == '\\' && !text.empty() && (text.front() == '\\' || text.front() == '"');
    argument += is_escape ? text.front() : c;
    if (is_escape) text.remove_prefix(1);
  }
  if (is_quoted && !text.empty()) text.remove_prefix(1);
  return argument;
}

// Functions whose first argument is a URL; Excel writes "_xlfn." before newer ones.
struct Function {
  std::string_view name;
  LinkKind kind;
};
constexpr Function kFunctions[] = {
    {"HYPERLINK(", LinkKind::navigation}, {"IMAGE(", LinkKind::embed}, {"WEBSERVICE(", LinkKind::embed}};

std::string_view without_space(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  return text;
}

// The text that `arguments` begins with, if nothing is joined to it.
std::optional<std::string> whole_argument(std::string_view arguments) {
  arguments = without_space(arguments);
  if (!arguments.starts_with('"')) return std::nullopt;
  std::string text;
  size_t next = 1;
  for (; next < arguments.size(); ++next) {
    if (arguments[next] == '"' && !arguments.substr(next + 1).starts_with('"')) break;
    if (arguments[next] == '"') ++next;
    text += arguments[next];
  }
  if (without_space(arguments.substr(std::min(next + 1, arguments.size()))).starts_with('&')) return std::nullopt;
  return text;
}

}  // namespace

void read_field(std::string_view instruction, LinkCollector& links) {
  bool is_quoted = false;
  const std::string name = next_argument(instruction, is_quoted);
  const bool is_link = equals_ignore_case(name, "HYPERLINK");
  const bool is_picture = equals_ignore_case(name, "INCLUDEPICTURE");
  if (!is_link && !is_picture) return;
  while (!instruction.empty()) {
    const std::string argument = next_argument(instruction, is_quoted);
    if (!is_quoted && argument.starts_with('\\')) {
      // A switch, with an argument of its own, or a field without an address: HYPERLINK \l "place".
      if (argument == "\\l" || argument == "\\o" || argument == "\\t" || argument == "\\s" || argument == "\\c")
        (void)next_argument(instruction, is_quoted);
      continue;
    }
    return links.add(argument, is_link ? LinkKind::navigation : LinkKind::embed);
  }
}

void read_formula(std::string_view formula, LinkCollector& links) {
  for (const Function& function : kFunctions) {
    for (size_t at = formula.find(function.name); at != std::string_view::npos; at = formula.find(function.name, at)) {
      const bool is_whole = at == 0 || (!is_alnum(formula[at - 1]) && formula[at - 1] != '_');
      at += function.name.size();
      if (!is_whole) continue;
      const auto url = whole_argument(formula.substr(at));
      if (!url) continue;
      // Only what somebody clicks on may be relative.
      if (function.kind == LinkKind::navigation)
        links.add(*url, function.kind);
      else
        links.add_absolute(*url, function.kind);
    }
  }
}

}  // namespace caddis::documents
