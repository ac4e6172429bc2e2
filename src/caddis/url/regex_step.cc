// The step `regex`: an expression of the operator's own, as Heritrix's RegexRule has it, on the text as it stands there.
//
//   regex(s/^(.*);v=\d+$/$1/)    the first match, replaced; flags: g all matches, i in any case
//
// The mark behind `s` may be any punctuation. $1 or \1 is a group, $0 or \0 all of the match, $$ a dollar.
#include <re2/re2.h>

#include <memory>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/url/steps.h"

namespace caddis::url::steps {
namespace {

struct Substitution {
  std::string pattern, replacement, flags;
};

std::unexpected<Error> wrong(std::string_view arguments, std::string_view what) {
  return fail(ErrorCode::config,
              "regex(" + std::string(arguments) + "): " + std::string(what) + "; it is written regex(s/PATTERN/TEXT/)");
}

// Parts between marks; a mark with a backslash before it is none, and loses that.
Result<Substitution> read(std::string_view arguments) {
  const std::string_view text = trim(arguments);
  if (text.size() < 4 || text[0] != 's' || is_alnum(text[1]) || is_space(text[1]) || text[1] == '\\')
    return wrong(arguments, "no 's/' at its begin");
  const char mark = text[1];
  std::vector<std::string> parts(1);
  for (size_t at = 2; at < text.size(); ++at) {
    if (text[at] == mark) {
      parts.emplace_back();
    } else if (text[at] == '\\' && at + 1 < text.size()) {
      if (text[at + 1] != mark) parts.back() += '\\';
      parts.back() += text[++at];
    } else {
      parts.back() += text[at];
    }
  }
  if (parts.size() != 3) return wrong(arguments, "three marks are wanted");
  return Substitution{parts[0], parts[1], parts[2]};
}

// "$1" and "${1}" as RE2 writes them.
std::string rewrite_of(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size(); ++at) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("$$")) {
      out += '$';
      ++at;
    } else if (rest.size() > 1 && rest[0] == '$' && is_digit(rest[1])) {
      out.append("\\").append(1, rest[1]);
      ++at;
    } else if (rest.size() > 3 && rest.starts_with("${") && is_digit(rest[2]) && rest[3] == '}') {
      out.append("\\").append(1, rest[2]);
      at += 3;
    } else {
      out += rest[0];
      if (rest[0] == '\\' && rest.size() > 1) out += text[++at];
    }
  }
  return out;
}

}  // namespace

Result<MadeStep> make_regex(std::string_view arguments) {
  TRY(const Substitution wanted, read(arguments));
  RE2::Options options(RE2::Latin1);
  options.set_log_errors(false);
  bool is_global = false;
  for (const char flag : wanted.flags) {
    if (flag != 'g' && flag != 'i') return wrong(arguments, "the flags there are, are g and i");
    if (flag == 'g') is_global = true;
    if (flag == 'i') options.set_case_sensitive(false);
  }
  const auto pattern = std::make_shared<const RE2>(wanted.pattern, options);
  if (!pattern->ok()) return wrong(arguments, "no regular expression (RE2): " + pattern->error());
  const std::string rewrite = rewrite_of(wanted.replacement);
  std::string problem;
  if (!pattern->CheckRewriteString(rewrite, &problem)) return wrong(arguments, problem);
  return MadeStep{std::string(trim(arguments)), [pattern, rewrite, is_global](Draft& draft) -> Result<void> {
                    if (is_global)
                      RE2::GlobalReplace(&draft.text, *pattern, rewrite);
                    else
                      RE2::Replace(&draft.text, *pattern, rewrite);
                    if (draft.text.size() <= 2 * Url::kMaxLength) return {};
                    return fail(ErrorCode::limit, "no key: regex made it longer than 4 MiB");
                  }};
}

}  // namespace caddis::url::steps
