#include "caddis/replay/link_rewriter.h"

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/text/encoding.h"

namespace caddis::replay {
namespace {

// The scheme of a link without its colon; empty for a relative one.
std::string_view scheme_of(std::string_view link) {
  const size_t end = link.find_first_of(":/?#");
  return end == std::string_view::npos || link[end] != ':' ? std::string_view() : link.substr(0, end);
}

bool is_fetched(std::string_view scheme) {
  return scheme.empty() || equals_ignore_case(scheme, "http") || equals_ignore_case(scheme, "https") ||
         equals_ignore_case(scheme, "ftp");
}

}  // namespace

LinkRewriter::LinkRewriter(std::string_view prefix, std::string_view timestamp, url::Url page, Modifier page_modifier)
    : prefix_(prefix), timestamp_(timestamp), page_(page), base_(std::move(page)), page_modifier_(page_modifier) {}

void LinkRewriter::set_charset(std::string_view charset) {
  charset_ = charset;
  auto encoder = url::QueryEncoder::create(charset);
  encoder_ = encoder ? *std::move(encoder) : nullptr;
}

void LinkRewriter::set_base(std::string_view href) {
  auto base = url::Url::parse(trim(href), &base_);
  if (base && base->is_http()) base_ = *std::move(base);
}

std::string LinkRewriter::address(std::string_view absolute_url, Modifier modifier) const {
  std::string text;
  text.reserve(prefix_.size() + timestamp_.size() + absolute_url.size() + 4);
  text += prefix_;
  text += timestamp_;
  text += to_string(modifier);
  text += '/';
  text += absolute_url;
  return text;
}

std::optional<std::string> LinkRewriter::rewrite(std::string_view link, Modifier modifier) const {
  link = trim(link);
  if (link.empty() || link.front() == '#' || !is_fetched(scheme_of(link))) return std::nullopt;
  std::string decoded;
  if (charset_ != text::kUtf8 && !text::is_ascii(link)) link = text::to_utf8(link, charset_, decoded);
  const auto target = url::Url::parse(link, &base_, encoder_.get());
  if (!target) return std::nullopt;
  return address(target->href(), modifier);
}

std::optional<std::string> LinkRewriter::rewrite_navigation(std::string_view link, std::string_view target) const {
  const bool leaves_frame = page_modifier_ == Modifier::frame &&
                            (equals_ignore_case(target, "_top") || equals_ignore_case(target, "_parent") ||
                             equals_ignore_case(target, "_blank"));
  const bool is_page_link = leaves_frame || !is_page(page_modifier_);
  return rewrite(link, is_page_link ? Modifier::page : page_modifier_);
}

}  // namespace caddis::replay
