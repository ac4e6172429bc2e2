#include "caddis/http/fields.h"

#include <array>
#include <cstdint>

#include "caddis/base/strings.h"
#include "caddis/io/base32.h"

namespace caddis::http {
namespace {

constexpr size_t kMaxParameters = 100;

constexpr std::array<bool, 256> token_table() {
  std::array<bool, 256> table{};
  for (int c = 0; c < 256; ++c) table[c] = is_alnum(static_cast<char>(c));
  for (const char c : std::string_view("!#$%&'*+-.^_`|~")) table[static_cast<unsigned char>(c)] = true;
  return table;
}
constexpr std::array<bool, 256> kToken = token_table();

// Cuts a text at a separator, outside quoted strings and, where wanted, outside <...>.
class Splitter {
 public:
  Splitter(std::string_view text, char separator, bool angles) : text_(text), separator_(separator), angles_(angles) {}

  // The next part, without the separator; false at the end.
  bool next(std::string_view& part) {
    if (at_ >= text_.size()) return false;
    const size_t begin = at_;
    for (; at_ < text_.size() && text_[at_] != separator_; ++at_) {
      if (text_[at_] == '"' && quotes_)
        skip_quoted();
      else if (text_[at_] == '<' && angles_)
        skip_angles();
    }
    part = text_.substr(begin, at_ - begin);
    ++at_;
    return true;
  }

 private:
  // A quote that nobody closes is an ordinary character, so that a stray one does not swallow the rest; and so is each
  // one behind it, so that looking for their ends does not take quadratic time.
  void skip_quoted() {
    size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != '"') end += text_[end] == '\\' ? 2 : 1;
    if (end < text_.size())
      at_ = end;
    else
      quotes_ = false;
  }
  void skip_angles() {
    const size_t end = text_.find('>', at_);
    if (end != std::string_view::npos)
      at_ = end;
    else
      angles_ = false;
  }

  std::string_view text_;
  char separator_;
  bool angles_;
  bool quotes_ = true;
  size_t at_ = 0;
};

}  // namespace

bool is_token(std::string_view text) {
  for (const char c : text) {
    if (!kToken[static_cast<unsigned char>(c)]) return false;
  }
  return !text.empty();
}

std::vector<std::string_view> split_list(std::string_view value) {
  std::vector<std::string_view> items;
  Splitter splitter(value, ',', true);
  for (std::string_view part; splitter.next(part);) {
    if (const std::string_view item = trim(part); !item.empty()) items.push_back(item);
  }
  return items;
}

std::string unquote(std::string_view value) {
  if (value.size() < 2 || value.front() != '"') return std::string(value);
  std::string plain;
  for (size_t at = 1; at < value.size() && value[at] != '"'; ++at) {
    if (value[at] == '\\' && at + 1 < value.size()) ++at;
    plain += value[at];
  }
  return plain;
}

std::vector<Parameter> parse_parameters(std::string_view text) {
  std::vector<Parameter> parameters;
  Splitter splitter(text, ';', false);
  for (std::string_view part; parameters.size() < kMaxParameters && splitter.next(part);) {
    const size_t equals = part.find('=');
    const std::string_view name = trim(part.substr(0, equals));
    if (name.empty()) continue;
    const std::string_view value =
        equals == std::string_view::npos ? std::string_view() : trim(part.substr(equals + 1));
    parameters.push_back({name, unquote(value)});
  }
  return parameters;
}

std::string basic_credentials(std::string_view user, std::string_view password) {
  return "Basic " + io::encode_base64(std::string(user) + ':' + std::string(password));
}

}  // namespace caddis::http
