#include "caddis/replay/app_manifest.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace caddis::replay {
namespace {

constexpr size_t kMostLevels = 16;
constexpr size_t kLongestKey = 64;

struct Row {
  std::string_view path;
  Modifier modifier;
};

constexpr Row kRows[] = {
    {"start_url", Modifier::page},
    {"scope", Modifier::page},
    {"icons/*/src", Modifier::image},
    {"screenshots/*/src", Modifier::image},
    {"shortcuts/*/url", Modifier::page},
    {"shortcuts/*/icons/*/src", Modifier::image},
    {"share_target/action", Modifier::page},
    {"protocol_handlers/*/url", Modifier::page},
    {"file_handlers/*/action", Modifier::page},
    {"file_handlers/*/icons/*/src", Modifier::image},
    {"note_taking/new_note_url", Modifier::page},
    {"lock_screen/start_url", Modifier::page},
    {"tab_strip/home_tab/icons/*/src", Modifier::image},
    {"tab_strip/new_tab_button/url", Modifier::page},
};

// Where the string ends that begins at `start`, behind its quote; npos where it goes on behind `json`.
size_t end_of_string(std::string_view json, size_t start) {
  for (size_t at = start + 1; at < json.size(); ++at) {
    if (json[at] == '\\')
      ++at;
    else if (json[at] == '"')
      return at + 1;
  }
  return std::string_view::npos;
}

}  // namespace

size_t ManifestRewriter::rewrite(std::string_view json, bool last, size_t enough, std::string& out) {
  size_t done = 0;
  while (done < json.size() && out.size() < enough) {
    if (in_long_string_) {
      const char c = json[done++];
      out += c;
      if (!is_escaped_ && c == '"') in_long_string_ = false;
      is_escaped_ = !is_escaped_ && c == '\\';
      continue;
    }
    if (json[done] == '"') {
      const size_t end = end_of_string(json, done);
      if (end == std::string_view::npos && !last) break;
      on_string(json.substr(done, std::min(end, json.size()) - done), out);
      done = std::min(end, json.size());
      continue;
    }
    const size_t end = std::min(json.find_first_of("\"{}[]:,", done), json.size());
    out += json.substr(done, end - done);
    done = end;
    if (done == json.size() || json[done] == '"') continue;
    const char c = json[done++];
    out += c;
    if (c == '{' || c == '[') open(c == '[');
    if (c == '}' || c == ']') close();
    if (c == ':') is_key_ = false;
    if (c == ',') is_key_ = too_deep_ == 0 && !levels_.empty() && !levels_.back().is_list;
  }
  return done;
}

size_t ManifestRewriter::pass_token(std::string_view json, std::string& out) {
  if (json.empty()) return 0;
  // The quote that it begins with.
  out += json.front();
  in_long_string_ = true;
  is_escaped_ = false;
  return 1;
}

void ManifestRewriter::open(bool is_list) {
  if (levels_.size() >= kMostLevels || too_deep_ > 0)
    ++too_deep_;
  else
    levels_.push_back({is_list, {}});
  is_key_ = !is_list && too_deep_ == 0;
}

void ManifestRewriter::close() {
  if (too_deep_ > 0)
    --too_deep_;
  else if (!levels_.empty())
    levels_.pop_back();
  is_key_ = false;
}

std::string ManifestRewriter::path() const {
  std::string out;
  for (const Level& level : levels_) {
    if (!out.empty()) out += '/';
    out += level.is_list ? "*" : level.key;
  }
  return out;
}

void ManifestRewriter::on_string(std::string_view literal, std::string& out) {
  const auto copy = [&] { out += literal; };
  if (too_deep_ > 0 || levels_.empty()) return copy();
  if (is_key_) {
    const std::string_view name = literal.substr(1, literal.size() - std::min<size_t>(literal.size(), 2));
    levels_.back().key = name.size() <= kLongestKey ? name : std::string_view();
    return copy();
  }
  const std::string where = path();
  const auto row = std::ranges::find(kRows, where, &Row::path);
  if (row == std::end(kRows)) return copy();
  const auto value = nlohmann::json::parse(literal, nullptr, false);
  if (!value.is_string()) return copy();
  const auto address = links_.rewrite(value.get_ref<const std::string&>(), row->modifier);
  if (!address) return copy();
  out += nlohmann::json(*address).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace caddis::replay
