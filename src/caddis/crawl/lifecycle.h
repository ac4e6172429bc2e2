// The states of a crawl as a whole: running, paused, stopping, ended; and how it ended.
//
//   running ⇄ paused        by an operator, or at a limit
//   running, paused → stopping → ended
//
// Belongs to the crawl's loop.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "caddis/aio/event.h"
#include "caddis/aio/loop.h"

namespace caddis::crawl {

enum class RunState : uint8_t {
  running,   // visits begin
  empty,     // running, though nothing is left to visit (run-while-empty)
  paused,    // visits in flight go on, no other begins
  stopping,  // visits in flight get a moment to end, then all is written
  ended,     // everything is on disk, or cannot be
};
// "running"
std::string_view name_of(RunState state);

enum class EndReason : uint8_t {
  finished,  // nothing is left to do
  limit,     // a limit was reached; resumable with a higher one
  stopped,   // somebody asked; resumable
  failed,    // the disk or the store; resumable when the cause is gone
};

struct CrawlEnd {
  EndReason reason = EndReason::finished;
  std::string text;             // "finished", "reached max-documents (200)", …
  std::string_view limit = {};  // the name of the one that was reached
};

class Lifecycle {
 public:
  explicit Lifecycle(aio::Loop& loop) : changed_(loop) {}

  // Never `empty`: whether anything is left to visit is the frontier's to say.
  RunState state() const { return state_; }
  bool is_running() const { return state_ == RunState::running; }
  bool is_paused() const { return state_ == RunState::paused; }
  bool is_ending() const { return state_ == RunState::stopping || state_ == RunState::ended; }
  bool has_ended() const { return state_ == RunState::ended; }
  // The limit at which it is paused. Empty if an operator has paused it, or it is not paused.
  const std::string& paused_at() const { return paused_at_; }
  // How it ends, as far as that is known.
  const CrawlEnd& end() const { return end_; }
  // A recovery log is being imported: nothing is visited before that is done.
  bool is_importing() const { return is_importing_; }

  // `limit`: at which; empty if an operator asks for it.
  void pause(std::string limit = {});
  void resume();
  void stop(CrawlEnd end);
  // It runs on, and will end so when nothing is left.
  void will_end(CrawlEnd end) { end_ = std::move(end); }
  void finish();
  // Called whenever it runs, pauses or stops, after the change.
  void on_change(std::function<void(RunState)> hear) { hear_ = std::move(hear); }
  void set_importing(bool importing) { is_importing_ = importing; }

  // Notified at every change of state, and by whoever has changed whether the crawl is over.
  aio::Event& changed() { return changed_; }

 private:
  RunState state_ = RunState::running;
  CrawlEnd end_;
  std::string paused_at_;
  bool is_importing_ = false;
  std::function<void(RunState)> hear_;
  aio::Event changed_;
};

}  // namespace caddis::crawl
