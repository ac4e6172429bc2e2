// Under which hosts the archive is reached, and what is shown under which. Captured pages run scripts of strangers, so
// they never share an origin (scheme, host and port) with the archive's own pages, nor collections with each other:
//
//   127.0.0.1:8080              own pages: search, calendars, the frame around a capture, the APIs
//   my-archive.localhost:8080   captures of the collection "my-archive", inside that frame
//
// Names below "localhost" lead to the same machine without any set-up (RFC 6761, section 6.3). For other names the
// operator says how the captures' hosts are called (`captures`, which needs a wildcard in the DNS). A client for which
// there is no such host gets captures in a sandbox whose origin is nobody's, at addresses with a key:
//
//   192.0.2.1:8080/~<key>/my-archive/…
//
// Such pages count as strangers to the server that sent them. The key, which only the page around them gives away,
// tells them from pages of the live web and of other collections. Immutable, any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/http/server.h"
#include "caddis/viewing/rule.h"

namespace caddis::replay {

struct ServeNames {
  std::vector<std::string> own;     // public names; addresses and localhost are always own
  std::string captures;             // "{collection}.replay.example.org"; empty: none
  std::string local = "127.0.0.1";  // the host under which this machine itself reaches the own pages, or "localhost"
  std::string base;                 // "/wayback": all of this server is below that path (base_path.h); empty: none
  // Captures have no hosts of their own, and only their addresses with a key: a log-in to the own pages is none there.
  bool are_keyed = false;
};

// What a request was sent to.
struct Place {
  enum class Kind {
    own,       // the archive's own pages; also captures, where they have no host
    captures,  // the captures of `collection`
    foreign,   // a name that is not this server's
  };
  Kind kind = Kind::own;
  std::string collection;
  // "http://127.0.0.1:8080": where this client finds the own pages.
  std::string own_origin;
  std::string port;             // ":8080", or empty
  std::string base = {};        // as in ServeNames
  viewing::Viewer viewer = {};  // who asks
};

// A key for captures, made of a secret.
std::string captures_key(std::string_view secret, std::string_view subject);

class Origins {
 public:
  // `secret` is what the keys are made of: random, and of this process. ErrorCode::config if `captures` does not say
  // where the collection's name goes.
  static Result<Origins> create(ServeNames names, const std::vector<std::string>& collections, std::string secret);

  const std::string& base() const { return names_.base; }
  Place place_of(const http::ServerRequest& request) const;
  // "my-archive.localhost:8080", for a request to the own pages; empty where captures have no host for that client.
  std::string captures_host(const http::ServerRequest& request, std::string_view collection) const;
  std::string key_of(std::string_view collection) const { return captures_key(secret_, collection); }
  const std::string& secret() const { return secret_; }
  // Who may frame the captures under their host: a content security policy source list.
  std::string ancestors(const Place& place) const;

 private:
  Origins(ServeNames names, std::string secret) : names_(std::move(names)), secret_(std::move(secret)) {}
  std::string host_name(std::string_view pattern, std::string_view label) const;

  struct Label {
    std::string collection, label;
  };
  ServeNames names_;
  std::string secret_;
  std::vector<Label> labels_;
};

// A collection's name as a part of a host name: lower case, at most 63 letters, digits and hyphens (RFC 1123, section
// 2.1). Names that need a change get a few digits of their digest, so that no two collections share one.
std::string host_label(std::string_view collection);

}  // namespace caddis::replay
