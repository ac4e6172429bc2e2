// Reads one JSON object: each member that is asked for, with its type; `finish` refuses those that nobody has asked for,
// and names those there are.
//
// One thread. Included by .cc files only: it brings the library.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/base/visible.h"

namespace caddis::control {

class JsonReader {
  using Json = nlohmann::json;

 public:
  // The text has to be an object; `problem` tells later if it is not.
  explicit JsonReader(std::string_view text) : json_(is_deep(text) ? Json() : Json::parse(text, nullptr, false)) {
    if (!json_.is_object()) note("the body is no JSON object");
  }

  void take(const char* name, std::string& into) {
    const Json* const found = find(name);
    if (found == nullptr) return;
    if (!found->is_string()) return note(fmt::format("{} is a text", name));
    into = found->get<std::string>();
  }
  void take(const char* name, bool& into) {
    const Json* const found = find(name);
    if (found == nullptr) return;
    if (!found->is_boolean()) return note(fmt::format("{} is true or false", name));
    into = found->get<bool>();
  }
  void take(const char* name, int64_t& into) {
    const Json* const found = find(name);
    if (found == nullptr) return;
    if (!found->is_number_integer()) return note(fmt::format("{} is a whole number", name));
    into = found->get<int64_t>();
  }
  void take(const char* name, std::optional<int64_t>& into) {
    const Json* const found = find(name);
    if (found == nullptr) return;
    if (!found->is_number_integer()) return note(fmt::format("{} is a whole number", name));
    into = found->get<int64_t>();
  }
  void take(const char* name, std::vector<std::string>& into) {
    each(name, [&](const Json& item) {
      if (!item.is_string()) return note(fmt::format("{} is a list of texts", name));
      into.push_back(item.get<std::string>());
    });
  }
  // Each object of a list. `use` gets a reader, which is finished behind it.
  template <class Use>
  void take_all(const char* name, const Use& use) {
    each(name, [&](const Json& item) {
      JsonReader reader(item, Inner());
      use(reader);
      reader.refuse_others();
      if (!reader.problem_.empty()) note(fmt::format("{}: {}", name, reader.problem_));
    });
  }
  // The text of a member as it is, JSON.
  void take_raw(const char* name, std::string& into) {
    if (const Json* const found = find(name)) into = found->dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  // A member that is not used.
  void pass(const char* name) { (void)find(name); }
  void note(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
  }
  template <class Value>
  Result<Value> finish(Value value) {
    refuse_others();
    if (problem_.empty()) return value;
    return fail(ErrorCode::parse, problem_);
  }

 private:
  static constexpr size_t kShown = 100;  // of a name that is refused
  struct Inner {};
  JsonReader(Json json, Inner) : json_(std::move(json)) {
    if (!json_.is_object()) note("an object is expected");
  }
  // The library writes a document by calling itself for each level.
  static bool is_deep(std::string_view text) {
    constexpr int kMostLevels = 64;
    int level = 0;
    bool is_text = false;
    for (size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (is_text && c == '\\') ++i;  // what it escapes is passed by
      if (c == '"') is_text = !is_text;
      if (is_text) continue;
      if (c == '{' || c == '[') ++level;
      if (c == '}' || c == ']') --level;
      if (level > kMostLevels) return true;
    }
    return false;
  }
  const Json* find(const char* name) {
    known_.insert(name);
    if (!json_.is_object()) return nullptr;
    const auto found = json_.find(name);
    return found == json_.end() || found->is_null() ? nullptr : &*found;
  }
  template <class Use>
  void each(const char* name, const Use& use) {
    const Json* const found = find(name);
    if (found == nullptr) return;
    if (!found->is_array()) return note(fmt::format("{} is a list", name));
    for (const Json& item : *found) use(item);
  }
  void refuse_others() {
    if (!json_.is_object()) return;
    for (const auto& [name, value] : json_.items())
      if (!known_.contains(name))
        return note(
            fmt::format("'{}' is not known here; {}", visible(name, kShown),
                        known_.empty() ? "no member is" : fmt::format("these are: {}", fmt::join(known_, ", "))));
  }

  const Json json_;
  std::set<std::string, std::less<>> known_;
  std::string problem_;
};

}  // namespace caddis::control
