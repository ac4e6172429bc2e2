#include "caddis/pages/messages.h"

#include <nlohmann/json.hpp>

namespace caddis::pages {

Result<Messages> Messages::parse(std::string_view json, const Language& language) {
  const auto root = nlohmann::json::parse(json, nullptr, false);
  if (!root.is_object()) return fail(ErrorCode::parse, "messages are a JSON object: a text for each key");
  Messages messages(language);
  for (const auto& [key, text] : root.items()) {
    if (!text.is_string()) return fail(ErrorCode::parse, key + ": a message is a text");
    auto pattern = MessagePattern::parse(text.get_ref<const std::string&>());
    if (!pattern) return fail(ErrorCode::parse, key + ": " + pattern.error().message);
    messages.patterns_.emplace(key, *std::move(pattern));
  }
  return messages;
}

std::string Messages::text(std::string_view key, const Data& values) const {
  const auto found = patterns_.find(key);
  return found == patterns_.end() ? std::string(key) : found->second.fill(values, *language_);
}

}  // namespace caddis::pages
