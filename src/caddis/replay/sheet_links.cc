#include "caddis/replay/sheet_links.h"

#include <algorithm>

#include "caddis/base/strings.h"

namespace caddis::replay {
namespace {

bool is_absolute(std::string_view link) {
  return starts_with_ignore_case(link, "http://") || starts_with_ignore_case(link, "https://");
}

// The end of the expression in braces at the front; npos if it has none.
size_t end_of_expression(std::string_view value) {
  char quote = '\0';
  for (size_t at = 1; at < value.size(); ++at) {
    const char c = value[at];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '}') {
      return at;
    }
  }
  return std::string_view::npos;
}

std::optional<std::string> rewrite_template(std::string_view value, Modifier modifier, const LinkRewriter& links) {
  const std::string begin = links.address("", modifier);
  if (begin.find_first_of("{}'\"") != std::string::npos) return std::nullopt;
  const url::Url& page = links.page();
  if (is_absolute(value)) return begin + std::string(value);
  if (value.starts_with("//")) return begin + std::string(page.scheme()) + ':' + std::string(value);
  if (value.starts_with('/'))
    return begin + std::string(page.scheme()) + "://" + std::string(page.host()) + std::string(value);
  if (!value.starts_with('{') || value.starts_with("{{")) return std::nullopt;
  const size_t end = end_of_expression(value);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string expression(value.substr(1, end - 1));
  // Empty if the URL is no absolute one.
  return "{substring('" + begin + "',1+9999*not(contains('|http:|https:|',concat('|',substring-before(" + expression +
         ",'//'),'|'))))}" + std::string(value);
}

}  // namespace

std::optional<std::string> rewrite_sheet_link(std::string_view value, Modifier modifier, const LinkRewriter& links) {
  const std::string_view link = trim(value);
  if (link.find_first_of("{}") != std::string_view::npos) return rewrite_template(link, modifier, links);
  if (!is_absolute(link) && !link.starts_with('/')) return std::nullopt;
  auto address = links.rewrite(link, modifier);
  if (address && address->find_first_of("{}") != std::string::npos) return std::nullopt;
  return address;
}

std::optional<std::string> rewrite_sheet_part(std::string_view href, const LinkRewriter& links) {
  const auto address = links.rewrite(href, Modifier::other);
  if (!address) return std::nullopt;
  const size_t colon = address->find("://", links.prefix().size());
  if (colon == std::string::npos) return address;
  const size_t query = std::min(address->find('?'), address->size());
  std::string out = address->substr(0, colon);
  out += "%3A/";
  for (size_t i = colon + 3; i < query; ++i) {
    if ((*address)[i] == ':')
      out += "%3A";
    else
      out += (*address)[i];
  }
  return out + address->substr(query);
}

std::optional<std::string> rewrite_documents(std::string_view expression, const LinkRewriter& links) {
  constexpr std::string_view kFunction = "document(";
  std::string out;
  size_t copied = 0;
  for (size_t at = 0; (at = expression.find(kFunction, at)) != std::string_view::npos;) {
    at = std::min(expression.find_first_not_of(" \t\r\n", at + kFunction.size()), expression.size());
    if (at == expression.size() || (expression[at] != '\'' && expression[at] != '"')) continue;
    const size_t end = expression.find(expression[at], at + 1);
    if (end == std::string_view::npos) break;
    const std::string_view link = expression.substr(at + 1, end - at - 1);
    const bool is_rooted = is_absolute(link) || link.starts_with('/');
    const auto address = is_rooted ? rewrite_sheet_part(link, links) : std::nullopt;
    if (address && address->find(expression[at]) == std::string::npos) {
      out += expression.substr(copied, at + 1 - copied);
      out += *address;
      copied = end;
    }
    at = end;
  }
  if (copied == 0) return std::nullopt;
  return out + std::string(expression.substr(copied));
}

}  // namespace caddis::replay
