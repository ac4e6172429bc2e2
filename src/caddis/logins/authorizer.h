// Answers servers that ask for a name and a password by Basic or Digest (RFC 9110, section 11; RFC 7617; RFC 7616).
//
//   const std::string sent = authorizer.credentials(accounts, url, "GET", cnonce);   // empty: nothing is known yet
//   if (authorizer.learn(accounts, url, head, sent) == Answer::again) ...             // ask once more
//
// All visits use ahead what one of them learns: a protection space of Basic is the folder of the URL and what lies below
// it, one of Digest the whole server, or what the server says. Where the server then asks for another realm, that one
// holds. In memory alone: a crawl that is resumed asks again.
//
// Any thread.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "caddis/http/head.h"
#include "caddis/logins/accounts.h"
#include "caddis/logins/protection_space.h"
#include "caddis/url/url.h"

namespace caddis::logins {

class Authorizer {
 public:
  Authorizer() = default;
  Authorizer(const Authorizer&) = delete;
  Authorizer& operator=(const Authorizer&) = delete;

  // The value of Authorization for a request to that URL; empty if none is to be sent. `cnonce`: a new random text.
  std::string credentials(const Accounts& accounts, const url::Url& url, std::string_view method, std::string cnonce);
  // Takes the answer to such a request. `sent`: the Authorization it had. Only an answer 401 is `again` or `rejected`.
  // A realm that rejects the password is not told it again.
  ProtectionSpace::Answer learn(const Accounts& accounts, const url::Url& url, const http::ResponseHead& head,
                                std::string_view sent);
  // The realm of that URL, if it rejects the password; only once for each realm of a site (`logins.site`).
  std::optional<std::string> untold_rejection(const Accounts& accounts, const url::Url& url, std::string_view site);
  // The scheme that was asked for at that URL; empty: none was.
  std::string scheme_for(const Accounts& accounts, const url::Url& url) const;

 private:
  struct Space {
    ProtectionSpace space;
    std::set<std::string> folders;  // of paths: "/a/"
    bool is_rejected = false;
  };
  static constexpr size_t kMostSpaces = 16, kMostFolders = 64;  // of one server; of one space
  using Spaces = std::deque<Space>;

  static std::string key_of(const Accounts& accounts, const url::Url& url);
  static Space* find(Spaces& spaces, std::string_view path);
  static Space* of_realm(Spaces& spaces, const ProtectionSpace& learned);
  static void add_place(Spaces& spaces, Space& space, const url::Url& url);

  mutable std::mutex mutex_;
  std::unordered_map<std::string, Spaces> servers_;
  std::set<std::string> told_;  // rejections
};

}  // namespace caddis::logins
