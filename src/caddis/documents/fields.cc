#include "caddis/documents/fields.h"

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
  constexpr std::string_view kFunction = "HYPERLINK(";
  for (size_t at = formula.find(kFunction); at != std::string_view::npos; at = formula.find(kFunction, at + 1)) {
    size_t next = at + kFunction.size();
    while (next < formula.size() && is_space(formula[next])) ++next;
    if (next >= formula.size() || formula[next] != '"') continue;
    std::string url;
    for (++next; next < formula.size(); ++next) {
      if (formula[next] == '"' && !formula.substr(next + 1).starts_with('"')) break;
      if (formula[next] == '"') ++next;
      url += formula[next];
    }
    links.add(url, LinkKind::navigation);
  }
}

}  // namespace caddis::documents
