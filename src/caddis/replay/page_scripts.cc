#include "caddis/replay/page_scripts.h"

#include "caddis/base/strings.h"
#include "caddis/replay/script_rewriter.h"

namespace caddis::replay {
namespace {

constexpr std::string_view kScheme = "javascript:";

// JavaScript MIME types (MIME Sniffing Standard, section 4.6), and the values of the old language attribute.
bool is_script_type(std::string_view type) {
  const std::string essence = to_lower(trim(type.substr(0, type.find(';'))));
  std::string_view rest = essence;
  for (const std::string_view begin : {"text/", "application/", "x-"})
    if (rest.starts_with(begin)) rest.remove_prefix(begin.size());
  return rest.starts_with("javascript") || rest.starts_with("ecmascript") || rest == "jscript" || rest == "livescript";
}

// A link as browsers read it: blanks and controls in front of it do not count.
std::string_view without_blanks(std::string_view link) {
  while (!link.empty() && static_cast<unsigned char>(link.front()) <= ' ') link.remove_prefix(1);
  return link;
}

bool is_handler(std::string_view name) { return name.size() > 3 && name.starts_with("on") && is_alpha(name[2]); }

}  // namespace

PageScript page_script(const html::Token& tag) {
  if (tag.find("src") != nullptr) return PageScript::none;
  const html::Attribute* const type = tag.find("type");
  if (type == nullptr) {
    const html::Attribute* const language = tag.find("language");
    return language == nullptr || language->value.empty() || is_script_type(language->value) ? PageScript::classic
                                                                                             : PageScript::none;
  }
  const std::string_view name = trim(type->value);
  if (name.empty() || is_script_type(name)) return PageScript::classic;
  if (equals_ignore_case(name, "module")) return PageScript::module;
  return equals_ignore_case(name, "importmap") ? PageScript::import_map : PageScript::none;
}

std::optional<std::string> rewrite_page_script(std::string_view text, PageScript kind, const LinkRewriter& links) {
  switch (kind) {
    case PageScript::none:
      break;
    case PageScript::classic:
      return rewrite_script(text, ScriptKind::classic, links);
    case PageScript::module:
      return rewrite_script(text, ScriptKind::inline_module, links);
    case PageScript::import_map:
      return rewrite_import_map(text, links);
  }
  return std::nullopt;
}

bool holds_code(const html::Attribute& attribute) {
  if (is_handler(attribute.name)) return true;
  const bool is_link = attribute.name == "href" || attribute.name == "src" || attribute.name == "action" ||
                       attribute.name == "formaction" || attribute.name == "data" || attribute.name == "xlink:href";
  return is_link && starts_with_ignore_case(without_blanks(attribute.value), kScheme);
}

std::optional<std::string> rewrite_code(std::string_view value, const LinkRewriter& links) {
  const std::string_view code = without_blanks(value);
  if (!starts_with_ignore_case(code, kScheme)) return rewrite_script(value, ScriptKind::classic, links);
  auto script = rewrite_script(code.substr(kScheme.size()), ScriptKind::classic, links);
  if (!script) return std::nullopt;
  return std::string(code.substr(0, kScheme.size())) + *std::move(script);
}

std::string worker_begin(Modifier modifier, std::string_view script, std::string_view client) {
  if (modifier == Modifier::worker_module) return "import \"" + std::string(client) + "\";";
  if (modifier != Modifier::worker) return {};
  // A directive counts in front of all else only.
  const std::string_view start = without_blanks(script);
  const bool is_strict = start.starts_with("\"use strict\"") || start.starts_with("'use strict'");
  return std::string(is_strict ? "\"use strict\";" : "") + "importScripts(\"" + std::string(client) + "\");";
}

}  // namespace caddis::replay
