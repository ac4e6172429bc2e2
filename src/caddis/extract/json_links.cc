// The JSON is read as a tree, and walked with the name of the member at hand. What a member is says a table; any other
// string is a link if it is surely one.
#include "caddis/extract/json_links.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "caddis/extract/html_links.h"
#include "caddis/extract/url_guess.h"

namespace caddis::extract {
namespace {

using nlohmann::json;

constexpr size_t kMaxJson = 4u << 20;

// Discarded if it is no JSON.
json parse(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (text.size() > kMaxJson) return json(json::value_t::discarded);
  return json::parse(text, nullptr, false, true);
}

enum class MemberRole { link, embed, markup, ignored };

struct Member {
  std::string_view name;
  MemberRole role;
};

class MemberWalk {
 public:
  MemberWalk(std::span<const Member> members, LinkSink& sink) : members_(members), sink_(sink) {}

  // `name`: of the member, or of the list that it is an item of.
  void walk(const json& value, std::string_view name, unsigned depth = 0) {
    constexpr unsigned kMaxDepth = 40;
    if (depth > kMaxDepth) return;
    if (value.is_string()) return take(value.get_ref<const std::string&>(), name);
    if (value.is_array())
      for (const json& item : value) walk(item, name, depth + 1);
    if (value.is_object())
      for (const auto& [key, member] : value.items()) walk(member, key, depth + 1);
  }

 private:
  void take(const std::string& text, std::string_view name) {
    const auto member = std::ranges::find(members_, name, &Member::name);
    if (member == members_.end()) {
      if (is_sure_url(trim_url(text))) sink_.add_sure(text, Hop::inferred, kInferredMisc);
      return;
    }
    switch (member->role) {
      case MemberRole::link:
        return sink_.add(text, Hop::navlink, kNavlinkMisc);
      case MemberRole::embed:
        return sink_.add(text, Hop::embed, kEmbedMisc);
      case MemberRole::markup:
        return extract_markup(text, kSpeculativeMisc, sink_);
      case MemberRole::ignored:
        return;
    }
  }

  std::span<const Member> members_;
  LinkSink& sink_;
};

// Specifiers with "/" at their end stand for all that is below.
void take_imports(const json& imports, LinkSink& sink) {
  if (!imports.is_object()) return;
  for (const auto& [name, address] : imports.items()) {
    if (!address.is_string()) continue;
    const auto& text = address.get_ref<const std::string&>();
    if (!text.ends_with('/')) sink.add(text, Hop::speculative, "script[type='importmap']");
  }
}

}  // namespace

void extract_import_map(std::string_view text, LinkSink& sink) {
  const json map = parse(text);
  if (!map.is_object()) return;
  if (const auto imports = map.find("imports"); imports != map.end()) take_imports(*imports, sink);
  const auto scopes = map.find("scopes");
  if (scopes == map.end() || !scopes->is_object()) return;
  for (const json& scope : *scopes) take_imports(scope, sink);
}

void extract_speculation_rules(std::string_view text, LinkSink& sink) {
  const json rules = parse(text);
  if (!rules.is_object()) return;
  for (const json& action : rules) {
    if (!action.is_array()) continue;
    for (const json& rule : action) {
      if (!rule.is_object()) continue;
      const auto urls = rule.find("urls");
      if (urls == rule.end() || !urls->is_array()) continue;
      const auto relative = rule.find("relative_to");
      const bool to_rules = relative != rule.end() && *relative == "ruleset";
      for (const json& url : *urls)
        if (url.is_string())
          sink.add_to(to_rules ? sink.document_url() : sink.base(), url.get_ref<const std::string&>(), Hop::navlink,
                      "script[type='speculationrules']", {});
    }
  }
}

bool extract_json_feed(std::string_view text, LinkSink& sink) {
  using enum MemberRole;
  static constexpr Member kMembers[] = {{"url", link},           {"external_url", link},   {"home_page_url", link},
                                        {"next_url", link},      {"feed_url", link},       {"image", embed},
                                        {"banner_image", embed}, {"icon", embed},          {"favicon", embed},
                                        {"avatar", embed},       {"content_html", markup}, {"version", ignored},
                                        {"id", ignored}};
  json feed = parse(text);
  if (!feed.is_object()) return false;
  // A URL there is that of a file to listen to or to look at; in "hubs" nobody reads.
  if (const auto items = feed.find("items"); items != feed.end() && items->is_array()) {
    for (json& item : *items) {
      if (!item.is_object()) continue;
      const auto attachments = item.find("attachments");
      if (attachments == item.end() || !attachments->is_array()) continue;
      for (const json& one : *attachments)
        if (one.is_object() && one.contains("url") && one["url"].is_string())
          sink.add(one["url"].get_ref<const std::string&>(), Hop::embed, kEmbedMisc);
      item.erase(attachments);
    }
  }
  feed.erase("hubs");
  MemberWalk(kMembers, sink).walk(feed, "");
  return true;
}

bool extract_web_manifest(std::string_view text, LinkSink& sink) {
  using enum MemberRole;
  static constexpr Member kMembers[] = {
      {"start_url", link}, {"url", link},   {"note_taking_url", link}, {"new_note_url", link},
      {"src", embed},      {"id", ignored}, {"scope", ignored},        {"iarc_rating_id", ignored}};
  json manifest = parse(text);
  if (!manifest.is_object()) return false;
  // Their URLs are completed by a browser that hands something over.
  for (const char* name : {"share_target", "protocol_handlers", "file_handlers", "scope_extensions"})
    manifest.erase(name);
  MemberWalk(kMembers, sink).walk(manifest, "");
  return true;
}

}  // namespace caddis::extract
