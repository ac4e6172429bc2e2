// The head of an HTTP/1 message: start line and fields (RFC 9112 sections 2 to 5), kept byte for byte as it came.
//
// Lenient parsing is for responses, received or archived since the 1990s: LF alone, blank lines in front, no reason, no
// version ("HTTP 200 ..."), blanks before colons, lines without colon (skipped), folded lines (unfolded with one
// blank), a missing end. Strict parsing, for requests that come to us, refuses all of that (and folding, which
// smuggles).
//
//   TRY(const ResponseHead head, parse_response_head(bytes, Mode::lenient));
//   if (const auto type = head.find("content-type")) ...
//   const std::string_view body = bytes.substr(head.size());
//
// A head owns its bytes and is a plain value; the views it gives die when it is changed, moved or destroyed.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"

namespace caddis::http {

enum class Mode { lenient, strict };

struct HeadLimits {
  size_t bytes = 1u << 20;  // ErrorCode::limit where no end is found within
  size_t fields = 2000;     // further ones: lenient leaves them in raw() only, strict gives ErrorCode::limit
};

struct Version {
  uint8_t major = 0, minor = 0;
  auto operator<=>(const Version&) const = default;
};

struct Field {
  std::string_view name, value;  // the value without blanks around it
};

// The fields in the order in which they came: `for (const Field field : head)`.
class Head {
 public:
  class Iterator {
   public:
    Iterator(const Head& head, size_t at) : head_(&head), at_(at) {}
    Field operator*() const { return head_->field(at_); }
    Iterator& operator++() { return ++at_, *this; }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const Head* head_;
    size_t at_;
  };

  size_t field_count() const { return spans_.size(); }
  Field field(size_t index) const { return {view(spans_[index].name), view(spans_[index].value)}; }
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, spans_.size()}; }

  // The first field of that name, case ignored.
  std::optional<std::string_view> find(std::string_view name) const;
  std::vector<std::string_view> find_all(std::string_view name) const;
  // All values of that name, joined with ", " as list fields are (RFC 9110 section 5.3); empty where there is none.
  std::string joined(std::string_view name) const;
  // True where a comma-separated list field holds the token, case ignored: has_token("connection", "close").
  bool has_token(std::string_view name, std::string_view token) const;

  Version version() const { return version_; }
  // The bytes as they came, the empty line at the end included where there was one.
  std::string_view raw() const { return std::string_view(bytes_).substr(0, size_); }
  size_t size() const { return size_; }
  bool complete() const { return complete_; }              // false: the input ended before the empty line
  bool fields_dropped() const { return fields_dropped_; }  // more fields came than HeadLimits allow

 protected:
  struct Span {
    uint32_t at = 0, size = 0;
  };
  struct FieldSpan {
    Span name, value;
  };
  std::string_view view(Span span) const { return std::string_view(bytes_).substr(span.at, span.size); }

  friend class HeadParser;
  std::string bytes_;  // the head as it came; behind it the unfolded values
  size_t size_ = 0;
  std::vector<FieldSpan> spans_;
  Version version_;
  bool complete_ = false;
  bool fields_dropped_ = false;
};

class ResponseHead : public Head {
 public:
  int status() const { return status_; }  // 100 to 999
  std::string_view reason() const { return view(reason_); }
  bool is_interim() const { return status_ < 200 && status_ != 101; }

 private:
  friend class HeadParser;
  int status_ = 0;
  Span reason_;
};

class RequestHead : public Head {
 public:
  std::string_view method() const { return view(method_); }
  std::string_view target() const { return view(target_); }

 private:
  friend class HeadParser;
  Span method_, target_;
};

// Parses the head at the front of `bytes`, which must be all there is: in lenient mode the end of `bytes` may end a
// head.
Result<ResponseHead> parse_response_head(std::string_view bytes, Mode mode, const HeadLimits& limits = {});
Result<RequestHead> parse_request_head(std::string_view bytes, Mode mode, const HeadLimits& limits = {});

// Finds a head's end while bytes arrive, each looked at once.
class HeadScanner {
 public:
  // `bytes` is all that came since the head's begin. The size of the head with its empty line, or nothing yet.
  std::optional<size_t> scan(std::string_view bytes);

 private:
  size_t line_ = 0;      // where the unfinished line begins
  size_t searched_ = 0;  // no line end before this
  bool begun_ = false;   // a line with more than blanks on it was seen
};

// Whether what came so far can become a response head. A server that talks another protocol (or HTTP/0.9, a body alone)
// is known by its first bytes, not by waiting for a head that never ends.
enum class Looks { like_http, like_other, undecided };
Looks looks_like_response(std::string_view bytes);

}  // namespace caddis::http
