// A parsed URL: the WHATWG URL Standard (https://url.spec.whatwg.org), its basic URL parser, serializer and host
// parser.
//
// An Url is one serialized string (the href) and the offsets of its parts: cheap to copy, no thread owns it.
// All accessors return views into it, valid as long as the Url lives. Parsing never fails on bytes that are not UTF-8
// (they read as U+FFFD, as in a browser). The names of the accessors are those of the standard's URL interface.
// There are no setters but for the fragment: whoever needs another URL parses one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/base/error.h"

namespace caddis::url {

class QueryEncoder;
class UrlParser;

class Url {
 public:
  // Longer inputs are refused (ErrorCode::limit): no real URL comes near, and offsets stay small.
  static constexpr size_t kMaxLength = 2u << 20;

  // Parses an absolute URL, or resolves a relative one against `base`.
  static Result<Url> parse(std::string_view input, const Url* base = nullptr);
  // The same for a link in a document of a legacy charset, whose query strings are written in that charset.
  // A null `encoder` means UTF-8.
  static Result<Url> parse(std::string_view input, const Url* base, const QueryEncoder* encoder);

  // The whole URL, serialized.
  std::string_view href() const { return href_; }
  std::string_view without_fragment() const { return std::string_view(href_).substr(0, hash_start_); }

  // Makes the URL that `without_fragment` writes of this one.
  void drop_fragment() { href_.resize(hash_start_); }

  std::string_view protocol() const { return slice(0, protocol_end_); }    // "http:"
  std::string_view scheme() const { return slice(0, protocol_end_ - 1); }  // "http"
  std::string_view username() const;
  std::string_view password() const;
  std::string_view host() const;      // "example.com:8080"
  std::string_view hostname() const;  // "example.com", "[::1]"
  std::string_view port() const;      // "8080", empty for the default port of the scheme
  std::string_view pathname() const { return slice(pathname_start_, search_start_); }
  std::string_view search() const;  // "?q=1", empty for an empty query
  std::string_view hash() const;    // "#top", empty for an empty fragment

  // The port where the URL names one other than its scheme's default.
  std::optional<uint16_t> port_number() const;
  // The port to connect to; 0 where neither the URL nor its scheme has one.
  uint16_t effective_port() const;

  bool is_http() const { return is_http_; }  // http or https
  // One of the standard's special schemes: http, https, ws, wss, ftp, file.
  bool is_special() const { return is_special_; }
  bool has_host() const { return host_start_ != protocol_end_; }
  bool has_userinfo() const { return host_start_ > protocol_end_ + 2; }
  bool has_query() const { return search_start_ != hash_start_; }    // also for an empty one, "?"
  bool has_fragment() const { return hash_start_ != href_.size(); }  // also for an empty one, "#"
  // A path that is not a list of segments (mailto:x, data:…): nothing but a fragment can be resolved against it.
  bool has_opaque_path() const { return opaque_path_; }

  bool operator==(const Url& other) const { return href_ == other.href_; }

 private:
  friend class UrlParser;
  Url() = default;
  std::string_view slice(uint32_t from, uint32_t to) const { return std::string_view(href_).substr(from, to - from); }

  //   https://user:pass@example.com:8080/a/b?q=1#top
  //        ^ |    |    |           |    |   |   |
  //        | |    |    host_start_ |    |   |   hash_start_ (the end where there is none)
  //        | |    username_end_    |    |   search_start_ (= hash_start_ where there is none)
  //        | username begins       |    pathname_start_
  //        protocol_end_ (behind ':')   host_end_
  // host_start_ is the '@', or where there is no userinfo the end of "//"; without a host it is protocol_end_.
  std::string href_;
  uint32_t protocol_end_ = 0;
  uint32_t username_end_ = 0;
  uint32_t host_start_ = 0;
  uint32_t host_end_ = 0;
  uint32_t pathname_start_ = 0;
  uint32_t search_start_ = 0;
  uint32_t hash_start_ = 0;
  int32_t port_ = -1;
  bool is_http_ = false;
  bool is_special_ = false;
  bool opaque_path_ = false;
};

// The default port of a special scheme, nothing for others and for file.
std::optional<uint16_t> default_port(std::string_view scheme);

}  // namespace caddis::url
