#include "caddis/replay/link_rewriter.h"

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/text/encoding.h"

namespace caddis::replay {
namespace {

// The scheme of a link without its colon; empty for a relative one (URL Standard, section 4.1).
std::string_view scheme_of(std::string_view link) {
  size_t end = 0;
  while (end < link.size() && (is_alnum(link[end]) || link[end] == '+' || link[end] == '-' || link[end] == '.')) ++end;
  const bool is_scheme = end > 0 && end < link.size() && link[end] == ':' && is_alpha(link.front());
  return is_scheme ? link.substr(0, end) : std::string_view();
}

// Files are led to by files alone, as in browsers.
bool is_fetched(std::string_view scheme, const url::Url& page) {
  if (equals_ignore_case(scheme, "file")) return page.scheme() == "file";
  return scheme.empty() || equals_ignore_case(scheme, "http") || equals_ignore_case(scheme, "https") ||
         equals_ignore_case(scheme, "ftp");
}

// What browsers take out of a link before they read it (URL Standard, section 4.4): controls and blanks around it, tabs
// and line ends anywhere.
std::string_view without_noise(std::string_view link, std::string& storage) {
  const auto is_noise = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
  while (!link.empty() && is_noise(link.front())) link.remove_prefix(1);
  while (!link.empty() && is_noise(link.back())) link.remove_suffix(1);
  if (link.find_first_of("\t\n\r") == std::string_view::npos) return link;
  storage = link;
  std::erase_if(storage, [](char c) { return c == '\t' || c == '\n' || c == '\r'; });
  return storage;
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
  if (base && (base->is_http() || base->scheme() == page_.scheme())) base_ = *std::move(base);
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
  std::string cleaned;
  link = without_noise(link, cleaned);
  if (link.empty() || link.front() == '#' || !is_fetched(scheme_of(link), page_)) return std::nullopt;
  std::string decoded;
  if (charset_ != text::kUtf8 && !text::is_ascii(link)) link = text::to_utf8(link, charset_, decoded);
  const auto target = url::Url::parse(link, &base_, encoder_.get());
  if (!target) return std::nullopt;
  return address(target->href(), modifier);
}

std::string LinkRewriter::with_mark(std::string_view link, std::string address) const {
  if (!address.starts_with(prefix_)) return address;
  const std::string_view href = std::string_view(address).substr(address.find('/', prefix_.size()) + 1);
  const size_t host = href.find("//");
  if (host == std::string_view::npos || href == link) return address;
  const std::string_view base = base_.href();
  const size_t folder = base.substr(0, base.find_first_of("?#")).rfind('/') + 1;
  std::string_view mark;
  if (href.substr(std::min(href.find('/', host + 2), href.size())) == link)
    mark = "/.";
  else if (href.starts_with(base.substr(0, folder)) && href.substr(folder) == link)
    mark = "/./.";
  else if (href.substr(host) == link)
    mark = "/././.";
  return std::string(mark) + std::move(address);
}

std::optional<std::string> LinkRewriter::rewrite_navigation(std::string_view link, std::string_view target) const {
  const bool leaves_frame = page_modifier_ == Modifier::frame &&
                            (equals_ignore_case(target, "_top") || equals_ignore_case(target, "_parent") ||
                             equals_ignore_case(target, "_blank"));
  // Out of a frame a link leads to where pages are shown around which there is none.
  if (leaves_frame) return rewrite(link, Modifier::main);
  return rewrite(link, is_page(page_modifier_) ? page_modifier_ : Modifier::page);
}

}  // namespace caddis::replay
