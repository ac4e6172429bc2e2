// What all connections of a server share: the web, its judge, the loop, and Answers to be used again. Internal to
// serve/.
#pragma once

#include <memory>
#include <vector>

#include "simweb/judge/recorder.h"
#include "simweb/serve/loop.h"
#include "simweb/serve/sessions.h"
#include "simweb/world/world.h"

namespace simweb {

struct Site {
  Site(const World& the_world, Recorder& the_recorder, Loop& the_loop, const caddis::Clock& the_clock)
      : world(the_world),
        recorder(the_recorder),
        loop(the_loop),
        clock(the_clock),
        sessions(the_world.settings(), the_recorder) {}

  const World& world;
  Recorder& recorder;
  Loop& loop;
  const caddis::Clock& clock;
  Sessions sessions;
  caddis::Duration idle_timeout = std::chrono::seconds(60);

  // A connection has one only while it answers: a hundred thousand silent ones need none.
  std::unique_ptr<Answer> take_answer() {
    if (spare_.empty()) return std::make_unique<Answer>();
    std::unique_ptr<Answer> answer = std::move(spare_.back());
    spare_.pop_back();
    return answer;
  }
  void give_back(std::unique_ptr<Answer> answer) {
    if (spare_.size() < 256) spare_.push_back(std::move(answer));
  }
  // The time window of pages that change.
  int64_t window() const {
    const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(clock.wall().time_since_epoch()).count();
    return now / static_cast<int64_t>(world.settings().feed_period);
  }

 private:
  std::vector<std::unique_ptr<Answer>> spare_;
};

}  // namespace simweb
