#include "caddis/settings/checks.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/visible.h"

namespace caddis::settings {
namespace {

constexpr size_t kLongestHeader = 8000;
constexpr size_t kLongestFileNamePart = 100;

std::unexpected<Error> refuse(std::string_view text, std::string_view why) {
  return fail(ErrorCode::config, fmt::format("'{}' {}", visible(text, 100), why));
}

std::string_view what_is(char c) { return c == '\n' || c == '\r' ? "a line break" : "a control character"; }

}  // namespace

Result<void> single_line(std::string_view text) {
  const auto bad = std::ranges::find_if(
      text, [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f; });
  if (bad == text.end()) return {};
  return refuse(text, fmt::format("holds {}; write it on one line", what_is(*bad)));
}

Result<void> free_text(std::string_view) { return {}; }

Result<void> header_value(std::string_view text) {
  const auto bad = std::ranges::find_if(text, [](char c) { return has_control_character(std::string_view(&c, 1)); });
  if (bad != text.end())
    return refuse(text, fmt::format("holds {}, which no header may have: write it on one line", what_is(*bad)));
  if (text.size() > kLongestHeader)
    return refuse(text, fmt::format("is longer than {} bytes, which servers refuse in a header", kLongestHeader));
  return {};
}

Result<void> file_name_part(std::string_view text) {
  if (text.find('/') != std::string_view::npos || text.find("..") != std::string_view::npos)
    return refuse(text, "holds '/' or '..': it is a part of a name, not a path");
  if (text.starts_with('.')) return refuse(text, "begins with '.': files of such names are hidden");
  if (has_control_character(text)) return refuse(text, "holds a control character, which file names are to be without");
  if (text.size() > kLongestFileNamePart)
    return refuse(text, fmt::format("is longer than {} bytes, for a part of a file name", kLongestFileNamePart));
  return {};
}

}  // namespace caddis::settings
