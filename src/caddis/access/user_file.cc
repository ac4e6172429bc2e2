#include "caddis/access/user_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"

namespace caddis::access {
namespace {

constexpr std::string_view kHead = "caddis-users 1";
constexpr size_t kLongestName = 64, kLongestPurpose = 200;
constexpr size_t kIdSize = 12, kHashSize = 64;

bool is_hex(std::string_view text, size_t size) {
  return text.size() == size && std::ranges::all_of(text, [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); });
}

// "user NAME ROLE scrypt:… [digest:…]"
std::optional<User> parse_user(const std::vector<std::string_view>& words) {
  if (words.size() < 4 || words.size() > 5 || !is_user_name(words[1])) return {};
  const auto role = role_of(words[2]);
  auto password = parse_password_hash(words[3]);
  if (!role || !password) return {};
  User made{.name = std::string(words[1]), .role = *role, .password = *std::move(password), .digest = {}};
  if (words.size() == 4) return made;
  made.digest = parse_digest_secrets(words[4]);
  if (!made.digest) return {};
  return made;
}

// "token ID USER ROLE EXPIRES HASH[ PURPOSE]"
std::optional<Token> parse_token(const std::vector<std::string_view>& words, std::string_view line) {
  if (words.size() < 6 || !is_hex(words[1], kIdSize) || !is_user_name(words[2]) || !is_hex(words[5], kHashSize))
    return {};
  const auto role = role_of(words[3]);
  if (!role) return {};
  Token made{.id = std::string(words[1]),
             .user = std::string(words[2]),
             .role = *role,
             .expires = {},
             .hash = std::string(words[5]),
             .purpose = {}};
  if (words[4] != "never") {
    const auto time = parse_w3c_date(words[4]);
    if (!time || rfc3339(*time) != words[4]) return {};
    made.expires = *time;
  }
  if (words.size() == 6) return made;
  const auto begin = static_cast<size_t>(words[6].data() - line.data());
  made.purpose = line.substr(begin);
  if (!is_purpose(made.purpose) || made.purpose.empty()) return {};
  return made;
}

std::unexpected<Error> malformed(size_t line, std::string_view what) {
  return fail(ErrorCode::config, fmt::format("line {}: {}", line, what));
}

Result<void> take_line(UserFile& file, std::string_view line, size_t number) {
  const auto words = split(line, ' ');
  if (words[0] == "user") {
    auto user = parse_user(words);
    if (!user) return malformed(number, "this is no user: 'user NAME ROLE scrypt:…' is expected");
    if (file.find_user(user->name) != nullptr) return malformed(number, "there is a user of that name before it");
    file.users.push_back(*std::move(user));
    return {};
  }
  if (words[0] != "token") return malformed(number, "a line begins with 'user' or 'token'");
  auto token = parse_token(words, line);
  if (!token) return malformed(number, "this is no token: 'token ID USER ROLE EXPIRES HASH PURPOSE' is expected");
  if (file.find_token(token->id) != nullptr) return malformed(number, "there is a token of that id before it");
  if (file.find_user(token->user) == nullptr) return malformed(number, "there is no user of that name before it");
  file.tokens.push_back(*std::move(token));
  return {};
}

}  // namespace

bool is_user_name(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName && is_alnum(name.front()) &&
         std::ranges::all_of(name, [](char c) { return is_alnum(c) || std::string_view("._@-").contains(c); });
}

bool is_purpose(std::string_view purpose) {
  return purpose.size() <= kLongestPurpose && trim(purpose) == purpose &&
         std::ranges::none_of(purpose, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

Result<UserFile> UserFile::parse(std::string_view text) {
  UserFile file;
  if (!text.ends_with('\n')) return malformed(1, "the file is cut off: its last line has no end");
  text.remove_suffix(1);
  size_t number = 0;
  for (const std::string_view line : split(text, '\n')) {
    if (++number == 1) {
      if (line != kHead) return malformed(1, fmt::format("'{}' is expected", kHead));
      continue;
    }
    TRY_VOID(take_line(file, line, number));
  }
  return file;
}

std::string UserFile::to_text() const {
  std::string text = fmt::format("{}\n", kHead);
  for (const User& user : users) {
    text += fmt::format("user {} {} {}", user.name, access::to_string(user.role), access::to_text(user.password));
    if (user.digest) text += ' ' + access::to_text(*user.digest);
    text += '\n';
  }
  for (const Token& token : tokens) {
    text += fmt::format("token {} {} {} {} {}", token.id, token.user, access::to_string(token.role),
                        token.expires ? rfc3339(*token.expires) : "never", token.hash);
    if (!token.purpose.empty()) text += ' ' + token.purpose;
    text += '\n';
  }
  return text;
}

const User* UserFile::find_user(std::string_view name) const {
  const auto found = std::ranges::find(users, name, &User::name);
  return found == users.end() ? nullptr : &*found;
}

const Token* UserFile::find_token(std::string_view id) const {
  const auto found = std::ranges::find(tokens, id, &Token::id);
  return found == tokens.end() ? nullptr : &*found;
}

}  // namespace caddis::access
