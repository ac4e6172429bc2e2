#include "caddis/extract/chunk_names.h"

#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace caddis::extract {
namespace {

using Names = std::unordered_map<std::string_view, std::string_view>;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$'; }

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// A part of a name: a text, or one for each chunk.
struct Part {
  std::string_view text;
  Names names;
  std::vector<std::string_view> chunks;  // of `names`, in their order
  bool is_by_chunk = false;
  bool may_be_number = false;  // of the chunk, if `names` has none for it

  std::optional<std::string_view> of(std::string_view chunk) const {
    if (!is_by_chunk) return text;
    if (const auto found = names.find(chunk); found != names.end()) return found->second;
    return may_be_number ? std::optional(chunk) : std::nullopt;
  }
};

// Reads one expression. Whatever it is not made for ends it.
class NameReader {
 public:
  NameReader(std::string_view script, size_t at) : script_(script), at_(at) {}

  size_t at() const { return at_; }
  const std::vector<Part>& parts() const { return parts_; }
  // Names that stand whole in it: `7 === e ? "a.js" : …`.
  const std::vector<std::string_view>& whole() const { return whole_; }

  bool read() {
    while (reads_case()) {
    }
    do {
      if (!read_part()) return false;
    } while (takes('+'));
    return true;
  }

 private:
  void skip_blanks() {
    while (at_ < script_.size() && is_blank(script_[at_])) ++at_;
  }
  bool takes(char c) {
    skip_blanks();
    if (at_ >= script_.size() || script_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool takes(std::string_view text) {
    skip_blanks();
    if (!script_.substr(at_).starts_with(text)) return false;
    at_ += text.size();
    return true;
  }
  std::string_view word() {
    skip_blanks();
    const size_t begin = at_;
    while (at_ < script_.size() && is_word(script_[at_])) ++at_;
    return script_.substr(begin, at_ - begin);
  }
  // It has no escapes: names of files need none.
  std::optional<std::string_view> string() {
    skip_blanks();
    if (at_ >= script_.size() || (script_[at_] != '"' && script_[at_] != '\'' && script_[at_] != '`')) return {};
    const char quote = script_[at_];
    const size_t begin = at_ + 1;
    size_t end = begin;
    while (end < script_.size() && script_[end] != quote && script_[end] != '\\' && script_[end] != '\n' &&
           script_[end] != '$')
      ++end;
    if (end >= script_.size() || script_[end] != quote) {
      at_ = end;
      return {};
    }
    at_ = end + 1;
    return script_.substr(begin, end - begin);
  }

  // The variable that stands for the number of a chunk is the same everywhere.
  bool is_chunk(std::string_view name) {
    if (name.empty() || is_digit(name[0])) return false;
    if (chunk_.empty()) chunk_ = name;
    return chunk_ == name;
  }

  // `7 === e ? "text" :`
  bool read_condition(std::string_view& chunk, std::string_view& text) {
    const size_t begin = at_;
    std::string_view first, second;
    bool is_first = false;  // the chunk; or the second one
    const auto operand = [&](std::string_view& into) {
      const auto quoted = string();
      into = quoted ? *quoted : word();
      is_first |= &into == &first && !into.empty() && (quoted.has_value() || is_digit(into[0]));
      return !into.empty();
    };
    if (operand(first) && (takes("===") || takes("==")) && operand(second) && takes('?')) {
      chunk = is_first ? first : second;
      const auto value = string();
      if (value && takes(':') && is_chunk(is_first ? second : first)) {
        text = *value;
        return true;
      }
    }
    at_ = begin;
    return false;
  }

  bool reads_case() {
    std::string_view chunk, text;
    if (!read_condition(chunk, text)) return false;
    whole_.push_back(text);
    return true;
  }

  bool read_part() {
    skip_blanks();
    if (at_ >= script_.size()) return false;
    const char c = script_[at_];
    if (c == '"' || c == '\'' || c == '`') {
      const auto text = string();
      if (text) parts_.push_back({*text, {}, {}, false, false});
      return text.has_value();
    }
    if (c == '(' || c == '{') return read_part_by_chunk();
    const std::string_view name = word();
    if (name.empty()) return false;
    // The folder of all of them, before the first part.
    if (takes('.')) return parts_.empty() && !word().empty();
    parts_.push_back({{}, {}, {}, true, true});
    return is_chunk(name);
  }

  // `{…}[e]`, `({…})[e]`, `({…}[e] || e)`, `(7 === e ? "a" : e)`
  bool read_part_by_chunk() {
    Part part;
    part.is_by_chunk = true;
    size_t open = 0;
    while (takes('(')) ++open;
    std::string_view chunk, text;
    while (open > 0 && read_condition(chunk, text)) add(part, chunk, text);
    if (!part.names.empty()) {
      part.may_be_number = true;
      if (!is_chunk(word())) return false;
    } else {
      if (!read_names(part)) return false;
      for (; open > 0 && takes(')'); --open) {
      }
      if (!takes('[') || !is_chunk(word()) || !takes(']')) return false;
      if (open > 0 && takes("||")) {
        part.may_be_number = true;
        if (!is_chunk(word())) return false;
      }
    }
    for (; open > 0; --open)
      if (!takes(')')) return false;
    parts_.push_back(std::move(part));
    return true;
  }

  static void add(Part& part, std::string_view chunk, std::string_view text) {
    if (part.names.emplace(chunk, text).second) part.chunks.push_back(chunk);
  }

  // `{12: "about", "a-b": "c"}`
  bool read_names(Part& part) {
    if (!takes('{')) return false;
    if (takes('}')) return true;
    do {
      const auto quoted = string();
      const std::string_view chunk = quoted ? *quoted : word();
      if (chunk.empty() || !takes(':')) return false;
      const auto text = string();
      if (!text) return false;
      add(part, chunk, *text);
    } while (takes(','));
    return takes('}');
  }

  std::string_view script_;
  size_t at_;
  std::string_view chunk_;
  std::vector<Part> parts_;
  std::vector<std::string_view> whole_;
};

bool is_of_program(std::string_view name) {
  name = name.substr(0, name.find_first_of("?#"));
  return name.ends_with(".js") || name.ends_with(".mjs") || name.ends_with(".css");
}

// The chunks that the expression has names for: by the part that has a name for each of its chunks only, else by all.
std::vector<std::string_view> chunks_of(const std::vector<Part>& parts) {
  std::vector<std::string_view> all;
  for (const Part& part : parts) {
    if (part.is_by_chunk && !part.may_be_number) return part.chunks;
    all.insert(all.end(), part.chunks.begin(), part.chunks.end());
  }
  return all;
}

bool take_names(const NameReader& reader, size_t longest, const std::function<bool(const std::string&)>& take) {
  for (const std::string_view name : reader.whole())
    if (name.size() <= longest && is_of_program(name) && !take(std::string(name))) return false;
  for (const std::string_view chunk : chunks_of(reader.parts())) {
    std::string name;
    bool is_whole = true;
    for (const Part& part : reader.parts()) {
      const auto text = part.of(chunk);
      is_whole = text && name.size() + text->size() <= longest;
      if (!is_whole) break;
      name += *text;
    }
    if (is_whole && is_of_program(name) && !take(name)) return false;
  }
  return true;
}

// Where an expression begins: behind `return`, `=>` or `=`; `at` if none of them is there.
size_t expression_behind(std::string_view script, size_t at) {
  for (const std::string_view mark : {"return", "=>", "="})
    if (script.substr(at).starts_with(mark)) return at + mark.size();
  return at;
}

}  // namespace

void each_chunk_name(std::string_view script, size_t longest, const std::function<bool(const std::string&)>& take) {
  // Names are looked up in an object that is written there; few scripts have such.
  const auto has = [&](std::string_view text) { return script.find(text) != std::string_view::npos; };
  if (!has("\"}[") && !has("'}[") && !has("\"})[") && !has("'})[")) return;
  for (size_t at = 0; (at = script.find_first_of("=r", at)) != std::string_view::npos;) {
    const size_t begin = expression_behind(script, at);
    if (begin == at) {
      ++at;
      continue;
    }
    NameReader reader(script, begin);
    if (reader.read() && !take_names(reader, longest, take)) return;
    at = reader.at();
  }
}

}  // namespace caddis::extract
