// Queues by time, by precedence and by turns.
#include "caddis/frontier/queue_scheduler.h"

#include <gtest/gtest.h>

#include "caddis/store/memory_kv.h"

namespace caddis::frontier {
namespace {

using namespace std::chrono_literals;
using State = QueueSchedule::State;

class QueueSchedulerTest : public ::testing::Test {
 protected:
  void make(QueueOrderPolicy order = QueueOrderPolicy::due) {
    HostRules rules;
    rules.order.queues = order;
    rules_ = std::make_unique<RulesBook>(rules, nullptr, RulesSummary());
    politeness_ = std::make_unique<Politeness>(bounded_, *rules_, *PolitenessGroups::create({}));
    health_ = std::make_unique<HostHealth>(bounded_, *rules_, counters_, rows_, nullptr);
    scheduler_ = std::make_unique<QueueScheduler>(bounded_, *rules_, *health_, *politeness_);
  }
  // A queue with a URL to visit.
  Queue& add(const std::string& name) {
    Host& host = *hosts_.emplace_back(std::make_unique<Host>());
    host.name = name;
    Queue& queue = *host.queues.emplace_back(std::make_unique<Queue>());
    queue.host = &host;
    queue.origin = "http://" + name;
    queue.class_of(priority_class(Precedence::normal)).tail = 1;
    return queue;
  }

  ManualClock clock_;
  BoundedClock bounded_{clock_};
  store::MemoryKvDisk disk_;
  std::unique_ptr<store::Kv> kv_ = *disk_.open({"hosts"});
  RowCache cache_{*kv_};
  HostRows rows_{{}, cache_, bounded_};
  Counters counters_;
  std::unique_ptr<RulesBook> rules_;
  std::unique_ptr<Politeness> politeness_;
  std::unique_ptr<HostHealth> health_;
  std::unique_ptr<QueueScheduler> scheduler_;
  std::vector<std::unique_ptr<Host>> hosts_;
};

TEST_F(QueueSchedulerTest, TheQueueThatIsDueFirstIsNext) {
  make();
  Queue& a = add("a");
  Queue& b = add("b");
  a.host->pacing.next_allowed = clock_.steady() + 10s;
  scheduler_->plan(a);
  EXPECT_EQ(scheduler_->next(), nullptr);
  EXPECT_EQ(scheduler_->next_due(), clock_.steady() + 10s);
  scheduler_->plan(b);
  EXPECT_EQ(scheduler_->next(), &b);
  scheduler_->unplan(b);
  clock_.advance(10s);
  EXPECT_EQ(scheduler_->next(), &a);
}

TEST_F(QueueSchedulerTest, QueuesDueTogetherComeInTheOrderInWhichTheyBeganToWait) {
  make();
  Queue& a = add("a");
  Queue& b = add("b");
  scheduler_->plan(b);
  scheduler_->plan(a);
  EXPECT_EQ(scheduler_->next(), &b);
}

TEST_F(QueueSchedulerTest, PrecedenceDecidesAmongThoseThatAreDue) {
  make(QueueOrderPolicy::highest_url);
  Queue& low = add("low");
  Queue& high = add("high");
  high.class_of(priority_class(Precedence::first)).tail = 1;
  scheduler_->plan(low);
  scheduler_->plan(high);
  EXPECT_EQ(scheduler_->next(), &high);
  EXPECT_EQ(high.schedule.state, State::ready);
  EXPECT_EQ(scheduler_->rotate_ready(), &high);
  EXPECT_EQ(scheduler_->rotate_ready(), &low);
  EXPECT_EQ(scheduler_->rotate_ready(), &high);
}

TEST_F(QueueSchedulerTest, AQueueWithoutWorkIsIdle) {
  make();
  Queue& a = add("a");
  scheduler_->plan(a);
  a.class_of(priority_class(Precedence::normal)).head = 1;
  scheduler_->plan(a);
  EXPECT_EQ(a.schedule.state, State::idle);
  EXPECT_EQ(scheduler_->next_due(), std::nullopt);
}

TEST_F(QueueSchedulerTest, WhoeverWaitsForATurnIsCalledWhenItIsFree) {
  make();
  Queue& a = add("a");
  Host& host = *a.host;
  const PermitAnswer taken = politeness_->acquire(host, {});
  scheduler_->wait_for(a, politeness_->acquire(host, {}));
  EXPECT_EQ(a.schedule.state, State::host_busy);
  scheduler_->plan(a);
  EXPECT_EQ(a.schedule.state, State::host_busy) << "planning takes no one out of a wait list";
  scheduler_->call(politeness_->release(host, taken.permit));
  EXPECT_EQ(a.schedule.state, State::waiting);
  EXPECT_EQ(scheduler_->next(), &a);
}

TEST_F(QueueSchedulerTest, WhoeverIsCalledWithoutWorkLetsTheNextGo) {
  make();
  Queue& a = add("a");
  Queue& b = add("b");
  const PermitAnswer taken = politeness_->acquire(*a.host, {});
  scheduler_->wait_for(a, politeness_->acquire(*a.host, {}));
  a.host->pacing.waiting.push_back(&b);
  b.schedule.state = State::host_busy;
  a.retired = true;
  scheduler_->call(politeness_->release(*a.host, taken.permit));
  EXPECT_EQ(a.schedule.state, State::idle);
  EXPECT_EQ(b.schedule.state, State::waiting);
}

TEST_F(QueueSchedulerTest, WithdrawingAHostTellsWhenItWasDue) {
  make();
  Queue& a = add("a");
  a.host->pacing.next_allowed = clock_.steady() + 7s;
  scheduler_->replan(*a.host);
  EXPECT_EQ(scheduler_->last(5s), &a);
  EXPECT_EQ(scheduler_->last(8s), nullptr);
  EXPECT_EQ(scheduler_->withdraw(*a.host), clock_.steady() + 7s);
  EXPECT_EQ(a.schedule.state, State::idle);
}

}  // namespace
}  // namespace caddis::frontier
