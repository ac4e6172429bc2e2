// A rule about who may see which captures: captures that it is about, when and for whom it holds, and its verdict.
// docs/formats/access-rules.md has the grammar of the file that people write.
//
// Values; const, any thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/url/address_block.h"
#include "caddis/viewing/period.h"

namespace caddis::viewing {

enum class Verdict {
  allow,
  block,    // it is told that there is something that may not be shown (451)
  exclude,  // as if it were not there (404)
};
std::string_view to_string(Verdict verdict);
std::optional<Verdict> verdict_of(std::string_view name);

// The URLs that a rule is about.
struct Subject {
  enum class Kind {
    all,
    prefix,  // of the key: "com,example)/private"
    host,    // "www.example.com", any port
    domain,  // "example.com" and all below it
    regex,   // RE2, found anywhere in the URL
    url,     // this one, by its key
  };
  Kind kind = Kind::all;
  std::string text;  // as it was written
};
std::string_view to_string(Subject::Kind kind);

// An address or a block of them, as it was written.
struct Network {
  std::string text;
  url::AddressBlock block;
};

// By whom a rule was made, and when.
struct Origin {
  std::string by, when;
};

struct Rule {
  std::string id;
  Verdict verdict = Verdict::block;
  std::vector<Subject> subjects;  // one of them is enough
  int priority = 0;
  std::vector<TimeRange> captured, accessed;  // one of each is enough; none: at any time
  std::optional<Period> newer, older;         // captures that are not so old, or older
  std::vector<std::string> users, groups;     // one of these three is enough; none at all: everybody
  std::vector<Network> networks;
  std::string message;          // for those who may not see it
  std::string comment, reason;  // for operators
  Origin made;                  // on record

  bool is_for_everybody() const { return users.empty() && groups.empty() && networks.empty(); }
  bool is_for_all_times() const { return captured.empty() && !newer && !older; }
};

// Whoever asks.
struct Viewer {
  std::string user;                       // empty: nobody who is known
  std::string role;                       // "viewer", "curator", "operator", "admin"; empty: none
  std::optional<url::Ipv6> address = {};  // empty: not known
  // The text that stands for the log-in as it was when the viewer was let in (access/standing.h); nothing: nobody has looked.
  std::optional<std::string> standing = {};
};

}  // namespace caddis::viewing
