#include "caddis/walls/wall_sign.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/base/visible.h"

namespace caddis::walls {
namespace {

constexpr size_t kBodyRead = 64u << 10;

class Pattern {
 public:
  static Result<Pattern> parse(std::string_view text) {
    re2::RE2::Options options(re2::RE2::Quiet);
    options.set_case_sensitive(false);
    options.set_encoding(re2::RE2::Options::EncodingLatin1);
    auto regex = std::make_unique<re2::RE2>(re2::StringPiece(text.data(), text.size()), options);
    if (text.empty()) return fail(ErrorCode::config, "a regular expression is missing");
    if (!regex->ok())
      return fail(ErrorCode::config,
                  fmt::format("'{}' is no regular expression: {}", visible(text, kQuoted), regex->error()));
    return Pattern(std::move(regex));
  }
  bool is_in(std::string_view text) const {
    return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *regex_);
  }

 private:
  explicit Pattern(std::unique_ptr<re2::RE2> regex) : regex_(std::move(regex)) {}

  std::unique_ptr<re2::RE2> regex_;
};

class StatusIs final : public Condition {
 public:
  explicit StatusIs(std::vector<int> statuses) : statuses_(std::move(statuses)) {}
  bool holds(const Answer& answer) const override {
    return std::ranges::find(statuses_, answer.head().status()) != statuses_.end();
  }

 private:
  std::vector<int> statuses_;
};

class HasHeader final : public Condition {
 public:
  HasHeader(std::string name, std::optional<Pattern> value) : name_(std::move(name)), value_(std::move(value)) {}
  bool holds(const Answer& answer) const override {
    if (!value_) return answer.head().find(name_).has_value();
    return std::ranges::any_of(answer.head().find_all(name_),
                               [&](std::string_view text) { return value_->is_in(text); });
  }

 private:
  std::string name_;
  std::optional<Pattern> value_;
};

class SetsCookie final : public Condition {
 public:
  explicit SetsCookie(std::string name) : name_(std::move(name)) {}
  bool holds(const Answer& answer) const override {
    return std::ranges::any_of(answer.head().find_all("set-cookie"),
                               [&](std::string_view text) { return text.starts_with(name_); });
  }

 private:
  std::string name_;
};

class IsBelow final : public Condition {
 public:
  explicit IsBelow(size_t size) : size_(size) {}
  bool holds(const Answer& answer) const override { return answer.size() < size_; }

 private:
  size_t size_;
};

class Matches final : public Condition {
 public:
  using Part = std::string_view (*)(const Answer& answer);
  Matches(Part part, Pattern pattern) : part_(part), pattern_(std::move(pattern)) {}
  bool holds(const Answer& answer) const override { return pattern_.is_in(part_(answer)); }

 private:
  Part part_;
  Pattern pattern_;
};

std::string_view url_of(const Answer& answer) { return answer.url(); }
std::string_view title_of(const Answer& answer) { return answer.title(); }
std::string_view body_of(const Answer& answer) { return answer.body().substr(0, kBodyRead); }

using Made = Result<std::unique_ptr<const Condition>>;

Made make_status(std::string_view text) {
  std::vector<int> statuses;
  for (const std::string_view word : split(text, ' ')) {
    if (trim(word).empty()) continue;
    int status = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), status);
    if (error != std::errc{} || end != word.data() + word.size() || status < 100 || status > 999)
      return fail(ErrorCode::config, fmt::format("'{}' is no status of HTTP", visible(word, kQuoted)));
    statuses.push_back(status);
  }
  if (statuses.empty()) return fail(ErrorCode::config, "status needs numbers, as in: status 403 503");
  return std::make_unique<const StatusIs>(std::move(statuses));
}

Made make_header(std::string_view text) {
  const size_t tilde = text.find('~');
  const std::string_view name = trim(text.substr(0, tilde));
  if (name.empty() || name.find(' ') != std::string_view::npos)
    return fail(ErrorCode::config, "header needs a name, as in: header server ~ cloudflare");
  std::optional<Pattern> value;
  if (tilde != std::string_view::npos) {
    TRY(value, Pattern::parse(trim(text.substr(tilde + 1))));
  }
  return std::make_unique<const HasHeader>(std::string(name), std::move(value));
}

Made make_cookie(std::string_view text) {
  if (text.empty()) return fail(ErrorCode::config, "cookie needs a name, as in: cookie datadome");
  return std::make_unique<const SetsCookie>(std::string(text));
}

Made make_below(std::string_view text) {
  TRY(const long long size, parse_size(text));
  return std::make_unique<const IsBelow>(static_cast<size_t>(size));
}

template <Matches::Part part>
Made make_match(std::string_view text) {
  TRY(Pattern pattern, Pattern::parse(text));
  return std::make_unique<const Matches>(part, std::move(pattern));
}

// In the order in which they are asked.
struct KnownCondition {
  std::string_view word;
  Made (*make)(std::string_view text);
};
constexpr KnownCondition kConditions[] = {
    {"status", make_status},       {"header", make_header}, {"cookie", make_cookie},
    {"url", make_match<url_of>},   {"below", make_below},   {"title", make_match<title_of>},
    {"body", make_match<body_of>},
};

bool is_name(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](char c) { return is_alpha(c) || is_digit(c) || c == '-' || c == '.'; });
}

std::unexpected<Error> refuse(std::string_view line, std::string_view why) {
  return fail(ErrorCode::config, fmt::format("'{}': {}", visible(line, kQuoted), why));
}

}  // namespace

std::string_view Answer::title() const {
  if (title_) return *title_;
  constexpr std::string_view kBegin = "<title", kEnd = "</title";
  const std::string_view front = body_.substr(0, kBodyRead);
  const auto find = [&](std::string_view tag, size_t from) {
    for (size_t at = from; (at = front.find(tag[0], at)) != std::string_view::npos; ++at)
      if (equals_ignore_case(front.substr(at, tag.size()), tag)) return at;
    return front.size();
  };
  const size_t begin = std::min(front.find('>', find(kBegin, 0)), front.size() - 1) + 1;
  return title_.emplace(front.empty() ? front : trim(front.substr(begin, find(kEnd, begin) - begin)));
}

std::string_view to_string(WallKind kind) { return kind == WallKind::bot ? "bot" : "consent"; }

Result<WallSign> WallSign::parse(std::string_view line) {
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos) return refuse(line, "write it as \"bot NAME: status 403; header server ~ x\"");
  const std::string_view front = trim(line.substr(0, colon));
  const size_t blank = front.find(' ');
  const std::string_view kind = front.substr(0, blank);
  WallSign sign;
  if (kind != "bot" && kind != "consent") return refuse(line, "a sign begins with bot or consent");
  sign.kind_ = kind == "bot" ? WallKind::bot : WallKind::consent;
  sign.name_ = blank == std::string_view::npos ? "" : std::string(trim(front.substr(blank)));
  if (!is_name(sign.name_)) return refuse(line, "the name of a wall is of letters, digits, '.' and '-'");
  std::vector<std::pair<const KnownCondition*, std::unique_ptr<const Condition>>> made;
  for (const std::string_view part : split(line.substr(colon + 1), ';')) {
    const std::string_view text = trim(part);
    if (text.empty()) continue;
    const size_t end = std::min(text.find(' '), text.size());
    const auto* const known = std::ranges::find(kConditions, text.substr(0, end), &KnownCondition::word);
    if (known == std::end(kConditions))
      return refuse(line, fmt::format("'{}' is no condition: there are status, header, cookie, url, below, title, body",
                                      visible(text.substr(0, end), kQuoted)));
    auto condition = known->make(trim(text.substr(end)));
    if (!condition) return refuse(line, condition.error().message);
    made.emplace_back(known, *std::move(condition));
  }
  if (made.empty()) return refuse(line, "a sign needs a condition");
  for (const KnownCondition& next : kConditions)
    for (auto& [known, condition] : made)
      if (known == &next) sign.conditions_.push_back(std::move(condition));
  return sign;
}

bool WallSign::holds(const Answer& answer) const {
  return std::ranges::all_of(conditions_, [&](const auto& condition) { return condition->holds(answer); });
}

Result<WallSigns> WallSigns::parse(std::span<const std::string> lines) {
  WallSigns signs;
  for (const std::string& line : lines) {
    TRY(WallSign sign, WallSign::parse(line));
    signs.signs_.push_back(std::move(sign));
  }
  return signs;
}

const WallSign* WallSigns::find(const Answer& answer) const {
  const auto sign = std::ranges::find_if(signs_, [&](const WallSign& one) { return one.holds(answer); });
  return sign == signs_.end() ? nullptr : &*sign;
}

}  // namespace caddis::walls
