// Signs by which walls are known: pages that a server shows in place of the one that was asked for, as a check for bots
// or a request for consent.
//
//   TRY(const WallSigns signs, WallSigns::parse(lines));
//   if (const WallSign* sign = signs.find(Answer(url, head, body))) log("{} wall of {}", sign->kind(), sign->name());
//
// Immutable, any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/http/head.h"

namespace caddis::walls {

enum class WallKind : uint8_t { bot, consent };
// "bot", "consent"
std::string_view to_string(WallKind kind);

// The answer that is asked about. Borrows all of it; belongs to one thread.
class Answer {
 public:
  // `body`: decoded; perhaps the front of one of `size` bytes.
  Answer(std::string_view url, const http::ResponseHead& head, std::string_view body, size_t size)
      : url_(url), head_(head), body_(body), size_(size) {}
  Answer(std::string_view url, const http::ResponseHead& head, std::string_view body)
      : Answer(url, head, body, body.size()) {}

  std::string_view url() const { return url_; }
  const http::ResponseHead& head() const { return head_; }
  std::string_view body() const { return body_; }
  size_t size() const { return size_; }
  // The title of a page, as it is written, without white space around it; looked for once.
  std::string_view title() const;

 private:
  std::string_view url_;
  const http::ResponseHead& head_;
  std::string_view body_;
  size_t size_;
  mutable std::optional<std::string_view> title_;
};

// One thing that has to be so.
class Condition {
 public:
  virtual ~Condition() = default;
  virtual bool holds(const Answer& answer) const = 0;
};

class WallSign {
 public:
  // "bot cloudflare: status 403 503; header cf-mitigated ~ challenge". ErrorCode::config says what is wrong with it.
  static Result<WallSign> parse(std::string_view line);

  WallKind kind() const { return kind_; }
  // Letters, digits, '-' and '.'.
  const std::string& name() const { return name_; }
  bool holds(const Answer& answer) const;

 private:
  WallKind kind_ = WallKind::bot;
  std::string name_;
  std::vector<std::unique_ptr<const Condition>> conditions_;  // what costs least comes first
};

class WallSigns {
 public:
  static Result<WallSigns> parse(std::span<const std::string> lines);

  // The first sign that holds; null if none does. Lives as long as this.
  const WallSign* find(const Answer& answer) const;

 private:
  std::vector<WallSign> signs_;
};

// The signs that are shipped.
std::span<const std::string_view> known_walls();

}  // namespace caddis::walls
