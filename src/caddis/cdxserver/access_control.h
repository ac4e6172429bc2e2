// Access points of an index, as OutbackCDX has them: who asks, asks at an access point ("public", "staff", "reading-room"), a policy
// names the access points at which captures are shown, and a rule gives captures a policy. Rules and policies are JSON, and
// stand in a file beside the index.
//
// The rule with the longest pattern decides, among those whose pattern fits a URL and whose times fit; among equal ones the one
// with the highest number. What no rule is about is shown.
//
// Any thread. Changes are on the disk when a call returns.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/cdx/capture.h"
#include "caddis/io/files.h"

namespace caddis::cdxserver {

class AccessControl {
 public:
  // `path` need not be there: then there are the three policies with which OutbackCDX begins (Public, Staff Only, No Access).
  // ErrorCode::corrupt if it is there and cannot be used.
  static Result<std::unique_ptr<AccessControl>> open(io::Files& files, std::string path);
  ~AccessControl();

  // All rules and policies, as their file has them: for a checkpoint, and for copies of the index. `tag` is another one
  // after each change.
  std::string text() const;
  std::string tag() const;
  // Takes those of another index in place of all that is here. ErrorCode::corrupt for what is no such text.
  Result<void> replace(std::string_view text);
  // Whether there is a file of them.
  bool is_kept() const;

  // Which captures are shown at the access point at that moment. It stays as it is when rules change.
  std::function<bool(const cdx::Capture&)> shown_at(std::string point, WallTime now) const;
  // {"allowed":…,"rule":…,"publicMessage":…}; ErrorCode::parse for what is no timestamp.
  Result<std::string> decision(const std::string& point, std::string_view url, std::string_view timestamp,
                               WallTime now) const;
  // The same for [{"url":…,"timestamp":…}, …].
  Result<std::string> decisions(const std::string& point, std::string_view questions, WallTime now) const;

  struct RuleOrder {
    std::string search;  // in patterns, comments, message, reason; empty: all
    bool by_pattern = false, is_reversed = false;
  };
  std::string rules(const RuleOrder& order) const;  // a JSON array
  std::string rules_csv(const RuleOrder& order) const;
  std::string policies() const;
  // Empty if there is none of that number.
  std::optional<std::string> rule(int64_t id) const;
  std::optional<std::string> policy(int64_t id) const;
  // The fields of a rule, without values.
  static std::string empty_rule();

  struct Put {
    bool is_wrong = false;  // nothing was done; `body` says why, as OutbackCDX does
    bool is_new = false;    // a single one that got a number
    std::string body;       // empty: it was there already
  };
  // A rule, or an array of them; all or none. ErrorCode::parse for what is no rule.
  Result<Put> put_rules(std::string_view json, std::string_view user, WallTime now);
  // A policy, or an array of them; all or none. ErrorCode::parse for what is no policy.
  Result<Put> put_policies(std::string_view json);
  // False if there is none of that number.
  Result<bool> remove_rule(int64_t id);

 private:
  struct State;
  AccessControl(io::Files& files, std::string path, std::shared_ptr<const State> state, bool is_kept);
  std::shared_ptr<const State> state() const;
  Result<void> change_to(std::shared_ptr<State> state);

  io::Files& files_;
  const std::string path_;
  std::mutex changing_;
  mutable std::mutex mutex_;  // of the rest
  std::shared_ptr<const State> state_;
  bool is_kept_;
};

}  // namespace caddis::cdxserver
