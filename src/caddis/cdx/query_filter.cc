#include <re2/re2.h>

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/cdx/query.h"

namespace caddis::cdx {
namespace {

// A text that whoever wrote it for another server meant as a pattern: "2..|3..", "image/.*", "^text".
bool looks_like_pattern(std::string_view text) {
  if (text.starts_with('^') || text.ends_with('$')) return true;
  for (const std::string_view part : {".*", ".+", "|", "..", "[", "\\d", "\\w"})
    if (text.find(part) != std::string_view::npos) return true;
  return false;
}

}  // namespace

Result<void> Filter::compile(std::string_view expression) {
  RE2::Options options;
  options.set_log_errors(false);
  auto pattern = std::make_shared<RE2>(text_, options);
  if (!pattern->ok())
    return fail(ErrorCode::parse,
                "filter=" + std::string(expression) + ": not a regular expression (RE2): " + pattern->error());
  pattern_ = std::move(pattern);
  return {};
}

Result<Filter> Filter::parse(std::string_view expression, Dialect dialect) {
  Filter filter;
  std::string_view rest = expression;
  char kind = 0;
  // The order of both is pywb's; OutbackCDX takes "~" in front, too.
  for (; !rest.empty() && (rest.front() == '!' || rest.front() == '=' || rest.front() == '~'); rest.remove_prefix(1)) {
    if (rest.front() == '!' && !filter.negated_) {
      filter.negated_ = true;
      continue;
    }
    if (rest.front() == '!' || kind != 0) break;
    kind = rest.front();
  }
  const bool is_outback = dialect == Dialect::outback;
  if (kind == '=') filter.kind_ = Kind::equals;
  if (kind == '~') filter.kind_ = is_outback ? Kind::finds : Kind::begins;
  if (kind == 0 && dialect != Dialect::pywb) filter.kind_ = Kind::matches;
  const size_t colon = rest.find(':');
  filter.whole_line_ = colon == std::string_view::npos;
  if (filter.whole_line_ && is_outback)
    return fail(ErrorCode::parse, "filter=" + std::string(expression) + ": a field is wanted, as in statuscode:200");
  if (!filter.whole_line_) filter.field_ = rest.substr(0, colon);
  filter.text_ = filter.whole_line_ ? rest : rest.substr(colon + 1);
  const bool is_pattern = filter.kind_ != Kind::contains && filter.kind_ != Kind::equals;
  if (is_pattern) {
    TRY_VOID(filter.compile(expression));
  } else if (filter.kind_ == Kind::contains && looks_like_pattern(filter.text_)) {
    // If it is no pattern, it is only looked for as it stands.
    if (!filter.compile(expression)) filter.pattern_.reset();
  }
  return filter;
}

bool Filter::accepts(std::string_view line, const Capture& capture) const {
  std::string_view value = whole_line_ ? line : field(capture, field_);
  // As it is shown; a field of others' making that is missing matches nothing.
  if (value.empty() && !whole_line_ && (kind_ == Kind::matches || kind_ == Kind::finds) && is_field_name(field_))
    value = "-";
  const auto* const pattern = static_cast<const RE2*>(pattern_.get());
  const auto matches = [&](RE2::Anchor anchor) { return pattern->Match(value, 0, value.size(), anchor, nullptr, 0); };
  bool found = false;
  switch (kind_) {
    case Kind::contains:
      found = value.find(text_) != std::string_view::npos || (pattern != nullptr && matches(RE2::ANCHOR_BOTH));
      break;
    case Kind::equals:
      found = value == text_;
      break;
    case Kind::begins:
      found = matches(RE2::ANCHOR_START);
      break;
    case Kind::matches:
      found = matches(RE2::ANCHOR_BOTH);
      break;
    case Kind::finds:
      found = matches(RE2::UNANCHORED);
      break;
  }
  return found != negated_;
}

}  // namespace caddis::cdx
