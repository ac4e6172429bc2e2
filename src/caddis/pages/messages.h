// The catalogue of one language: web/pages/messages.<code>.json, a text for each key. Immutable, any thread.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/pages/data.h"
#include "caddis/pages/language.h"
#include "caddis/pages/message_pattern.h"

namespace caddis::pages {

class Messages {
 public:
  // ErrorCode::parse with the key, if `json` is no object of texts that can be filled.
  static Result<Messages> parse(std::string_view json, const Language& language);

  // The key itself, if there is no such message.
  std::string text(std::string_view key, const Data& values = {}) const;
  const std::map<std::string, MessagePattern, std::less<>>& patterns() const { return patterns_; }
  const Language& language() const { return *language_; }

 private:
  explicit Messages(const Language& language) : language_(&language) {}
  const Language* language_;
  std::map<std::string, MessagePattern, std::less<>> patterns_;
};

}  // namespace caddis::pages
