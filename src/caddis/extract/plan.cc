#include "caddis/extract/plan.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

#include "caddis/base/check.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/base/visible.h"
#include "caddis/extract/extractor.h"
#include "caddis/settings/checks.h"

namespace caddis::extract {
namespace {

constexpr std::string_view kArrow = " -> ";

std::unique_ptr<const re2::RE2> compile(std::string_view expression) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_encoding(re2::RE2::Options::EncodingLatin1);
  return std::make_unique<const re2::RE2>(re2::StringPiece(expression.data(), expression.size()), options);
}

std::unique_ptr<const re2::RE2> compile_checked(std::string_view expression) {
  auto made = compile(expression);
  CADDIS_CHECK(made->ok());
  return made;
}

// "regex -> format" in its parts; the last arrow counts.
std::pair<std::string_view, std::string_view> split_arrow(std::string_view text) {
  const size_t arrow = text.rfind(kArrow);
  if (arrow == std::string_view::npos) return {text, {}};
  return {trim(text.substr(0, arrow)), trim(text.substr(arrow + kArrow.size()))};
}

std::pair<std::string_view, std::string_view> split_name(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return {{}, text};
  return {trim(text.substr(0, colon)), trim(text.substr(colon + 1))};
}

}  // namespace

Patterns::Patterns(const std::vector<std::string>& expressions) {
  for (const std::string& expression : expressions) compiled_.push_back(compile_checked(expression));
}
Patterns::Patterns(Patterns&&) noexcept = default;
Patterns::~Patterns() = default;

bool Patterns::match(std::string_view text) const {
  return std::ranges::any_of(compiled_, [text](const auto& one) {
    return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *one);
  });
}

WordList::WordList(std::vector<std::string> words) : words_(std::move(words)) {
  std::ranges::sort(words_);
  for (const std::string& word : words_) longest_ = std::max(longest_, word.size());
}

bool WordList::has(std::string_view word) const {
  return word.size() <= longest_ && std::ranges::binary_search(words_, word, std::less<>());
}

bool WordList::has(std::string_view owner, std::string_view word) const {
  return !owner.empty() && owner.size() + 1 + word.size() <= longest_ && has(fmt::format("{}.{}", owner, word));
}

ScriptRules::ScriptRules(const ScriptOptions& options)
    : locations(options.locations),
      properties(options.properties),
      functions(options.functions),
      keys(options.keys),
      extensions(options.extensions),
      reject_strings(options.reject_strings),
      strict(options.strict),
      max_length(options.max_length),
      reject_relative(options.reject_relative),
      strict_in(options.strict_in),
      reject_attributes(options.reject_attributes) {}

Plan::Plan(const Options& options)
    : options_(options),
      extractors_(chosen_extractors(options.extractors)),
      script_(options.script),
      sitemap_urls_(options.sites.sitemap_urls),
      program_urls_(options.program.urls) {
  if (auto date = parse_w3c_date(options.sites.sitemap_newer_than)) newer_than_ = *date;
  for (const std::string& line : options.patterns.implied_uris) {
    const auto [pattern, format] = split_arrow(line);
    implied_.push_back({compile_checked(pattern), std::string(format)});
  }
  if (options.patterns.multiple_url.empty()) return;
  multiple_.url = compile_checked(options.patterns.multiple_url);
  for (const std::string& line : options.patterns.multiple_parts) {
    const auto [name, pattern] = split_name(line);
    multiple_.parts.emplace_back(name, compile_checked(pattern));
  }
}

Plan::~Plan() = default;

bool Plan::asks_program(std::string_view url) const {
  return !options_.program.command.empty() && program_urls_.match(url);
}

Result<void> is_pattern(std::string_view text) {
  TRY_VOID(settings::single_line(text));
  const auto made = compile(text);
  if (made->ok()) return {};
  return fail(ErrorCode::config, fmt::format("'{}' is no RE2 expression: {}", visible(text, 100), made->error()));
}

Result<void> is_implied_uri(std::string_view text) {
  const auto [pattern, format] = split_arrow(text);
  if (pattern.empty() || format.empty())
    return fail(ErrorCode::config,
                fmt::format("'{}' implies nothing: write REGEX -> FORMAT, as in '^https?://v.example/watch/(\\d+)$ -> "
                            "https://v.example/info?id=$1'",
                            visible(text, 100)));
  return is_pattern(pattern);
}

Result<void> is_named_pattern(std::string_view text) {
  const auto [name, pattern] = split_name(text);
  const bool is_named = !name.empty() && std::ranges::all_of(name, [](char c) { return is_alnum(c) || c == '_'; });
  if (!is_named || pattern.empty())
    return fail(ErrorCode::config,
                fmt::format("'{}' has no name: write NAME: REGEX, as in 'id: data-id=\"(\\d+)\"'", visible(text, 100)));
  return is_pattern(pattern);
}

Result<void> is_date(std::string_view text) {
  if (text.empty() || parse_w3c_date(text)) return {};
  return fail(ErrorCode::config,
              fmt::format("'{}' is no date: write 2026-01-31 or 2026-01-31T12:00:00Z", visible(text, 100)));
}

Result<void> is_site_path(std::string_view text) {
  TRY_VOID(settings::single_line(text));
  if (text.starts_with('/') && !text.starts_with("//") && text.find('#') == std::string_view::npos) return {};
  return fail(ErrorCode::config, fmt::format("'{}' is no path of a site: write it from its root on, as in "
                                             "/.well-known/security.txt",
                                             visible(text, 100)));
}

}  // namespace caddis::extract
