#include "caddis/replay/dash.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "caddis/base/strings.h"

namespace caddis::replay {
namespace {

// Bases that are longer, or stand deeper, are none that a manifest needs.
constexpr size_t kLongestBase = 16 * 1024;
constexpr size_t kMostBases = 16;

// Whether a URL does not go on below the base around it.
bool leads_away(std::string_view link) {
  if (link.starts_with('/') || link.starts_with("../") || link.contains("/../")) return true;
  const size_t end = link.find_first_of(":/?#");
  return end != std::string_view::npos && link[end] == ':';
}

std::optional<url::Url> resolve(std::string_view link, const url::Url& base) {
  auto target = url::Url::parse(link, &base);
  if (!target || !target->is_http()) return std::nullopt;
  return *std::move(target);
}

// Attributes that hold a URL, or a template of one, on the elements that have them (5.3.9).
bool holds_url(std::string_view element, std::string_view attribute) {
  if (attribute == "xlink:href") return true;
  if (element == "segmenttemplate")
    return attribute == "media" || attribute == "initialization" || attribute == "index" ||
           attribute == "bitstreamswitching";
  if (element == "segmenturl") return attribute == "media" || attribute == "index";
  const bool is_file =
      element == "initialization" || element == "representationindex" || element == "bitstreamswitching";
  return is_file && attribute == "sourceurl";
}

}  // namespace

void DashRewriter::on_start(const html::Token& tag) {
  ++depth_;
  const std::string_view element = local_name(tag.name);
  is_base_ = element == "baseurl";
  if (is_base_ || element == "location" || element == "patchlocation") wait_for_text();
  for (const html::Attribute& attribute : tag.attributes) {
    if (holds_url(element, attribute.name)) replace_url(attribute);
    // Clocks that are asked over HTTP (5.8.4.11); others have texts or hosts there.
    if (element == "utctiming" && attribute.name == "value") replace_urls(attribute);
  }
}

void DashRewriter::on_end() {
  if (depth_ > 0) --depth_;
  while (!bases_.empty() && bases_.back().depth > depth_) bases_.pop_back();
}

void DashRewriter::on_text(const html::Token& text) {
  std::string link;
  html::append_text(link, text);
  const std::string_view trimmed = trim(link);
  auto target = trimmed.empty() ? std::nullopt : resolve(trimmed, base());
  if (!target) return;
  if (leads_away(trimmed)) replace(text.start, text.end, links_.address(target->href(), Modifier::other));
  // The first of several bases counts: each is one place for the same. It holds in the element around it.
  const size_t around = depth_ - std::min<size_t>(depth_, 1);
  const bool has_one = !bases_.empty() && bases_.back().depth == around;
  if (is_base_ && !has_one && bases_.size() < kMostBases && target->href().size() <= kLongestBase)
    bases_.push_back({around, *std::move(target)});
}

void DashRewriter::replace_url(const html::Attribute& attribute) {
  const std::string_view link = trim(attribute.value);
  if (!leads_away(link)) return;
  if (const auto target = resolve(link, base())) replace(attribute, links_.address(target->href(), Modifier::other));
}

void DashRewriter::replace_urls(const html::Attribute& attribute) {
  std::string out;
  bool changed = false;
  for (std::string_view rest = trim(attribute.value); !rest.empty(); rest = trim(rest)) {
    const std::string_view link = rest.substr(0, rest.find_first_of(" \t\r\n"));
    rest.remove_prefix(link.size());
    const bool is_url = starts_with_ignore_case(link, "http:") || starts_with_ignore_case(link, "https:");
    const auto target = is_url ? resolve(link, base()) : std::nullopt;
    if (!out.empty()) out += ' ';
    out += target ? links_.address(target->href(), Modifier::other) : std::string(link);
    changed |= target.has_value();
  }
  if (changed) replace(attribute, out);
}

}  // namespace caddis::replay
