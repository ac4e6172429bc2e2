#include "caddis/crawl/lane_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/known_captures.h"
#include "caddis/crawl/report_facts.h"
#include "caddis/crawl/scheduled_url.h"
#include "caddis/crawl/world.h"
#include "caddis/dedup/index_key.h"
#include "caddis/documents/reader.h"
#include "caddis/fetch/proxies.h"
#include "caddis/logins/authorizer.h"
#include "caddis/process/programs.h"
#include "caddis/visit/consent_walls.h"

namespace caddis::crawl {

std::unique_ptr<process::Programs> make_no_programs(const extract::ProgramOptions&, const Clock&) {
  return std::make_unique<process::ScriptedPrograms>(
      process::ProgramOutcome({}, "there are no processes in this world"));
}

std::unique_ptr<documents::Reader> make_inline_reader(const documents::DocumentSettings&, const Clock&) {
  return std::make_unique<documents::InlineReader>();
}

LanePool::LanePool(aio::Loop& loop, aio::Event& changed) : loop_(loop), changed_(changed) {}

LanePool::~LanePool() = default;

Result<void> LanePool::open(const World& world, CrawlState& state, Options options, Done done) {
  at_start_ = state.settings.snapshot();
  const config::Settings& settings = at_start_->settings;
  spools_ = std::make_unique<io::SpoolFolder>(world.files, state.launch.spools(), at_start_->memory.spools);
  keep_free(settings.limits.min_free_space);
  TRY(known_, KnownCaptures::open(world.files, state.launch,
                                  {settings.dedup.against, dedup::index_key_by(at_start_->keys.index)}, options.own,
                                  options.notices));
  proxies_ = std::make_unique<fetch::Proxies>(world.find_server, options.random.next());
  TRY_VOID(proxies_->learn(config::proxies_named_by(settings)));
  authorizer_ = std::make_unique<logins::Authorizer>();
  helpers_.documents = world.factories.make_reader(settings.documents, world.clock);
  helpers_.programs = world.factories.make_programs(settings.extract.program, world.clock);
  context_.reset(new visit::VisitContext{.settings = {at_start_, &settings},
                                         .sites = [&live = state.settings] { return live.snapshot()->resolver; },
                                         .scope = *state.scope,
                                         .addresses = state.addresses,
                                         .proxies = *proxies_,
                                         .permits = options.permits,
                                         .spools = *spools_,
                                         .identity = state.identity,
                                         .originals = known_->originals,
                                         .cookies = options.cookies,
                                         .authorizer = *authorizer_,
                                         .host_keys = options.host_keys,
                                         .documents = *helpers_.documents,
                                         .programs = *helpers_.programs,
                                         .packing = {options.dictionary, &processors_idle_},
                                         .history = known_->history.get(),
                                         .long_work = world.sorting,
                                         .key_policy = at_start_->keys.crawl,
                                         .user_agent = fetch::user_agent(settings.fetch, settings.crawl.contact),
                                         .walls = std::make_shared<visit::ConsentWalls>()});
  const auto wanted = static_cast<unsigned>(settings.crawl.lanes);
  for (unsigned number = 0; number < std::max(1u, wanted != 0 ? wanted : world.lanes); ++number) {
    TRY(auto parts, world.make_lane(number, settings));
    parts.seed = options.random.next();
    const auto has_results = [this, number, done] {
      loop_.post([this, number, done] { done(lanes_[number]->results().collect()); });
    };
    lanes_.push_back(std::make_unique<visit::Lane>(number, std::move(parts), *context_, has_results));
  }
  assigned_.resize(lanes_.size());
  watch_ = std::make_unique<LaneWatch>(lanes_, static_cast<uint64_t>(world.lane_patience.count()));
  return {};
}

void LanePool::assign(frontier::Lease lease) {
  const size_t lane = *watch_->lane_for(lease.partition);
  watch_->begin(lease, lane);
  assigned_[lane].push_back(std::move(lease));
}

void LanePool::send() {
  for (size_t lane = 0; lane < lanes_.size(); ++lane)
    if (!assigned_[lane].empty()) lanes_[lane]->visit(std::exchange(assigned_[lane], {}));
}

// A lane that stands still without our knowing does not answer: nobody waits for it for long.
aio::Task<std::vector<visit::RunningVisit>> LanePool::running_visits() {
  struct Answers {
    explicit Answers(aio::Loop& loop) : changed(loop) {}
    aio::Event changed;
    size_t expected = 0, came = 0;
    bool is_late = false;
    std::vector<visit::RunningVisit> visits;
  };
  constexpr Duration kLongest = std::chrono::seconds(2);
  const auto answers = std::make_shared<Answers>(loop_);
  for (size_t lane = 0; lane < lanes_.size(); ++lane) {
    if (watch_->stands(lane)) continue;
    ++answers->expected;
    lanes_[lane]->list_visits([answers, &loop = loop_](const std::vector<visit::RunningVisit>& visits) {
      loop.post([answers, visits] {
        answers->visits.insert(answers->visits.end(), visits.begin(), visits.end());
        ++answers->came;
        answers->changed.notify();
      });
    });
  }
  const auto timer = loop_.at(loop_.clock().steady() + kLongest, [answers] {
    answers->is_late = true;
    answers->changed.notify();
  });
  while (answers->came < answers->expected && !answers->is_late) co_await answers->changed.wait();
  if (!answers->is_late) loop_.cancel(timer);
  std::ranges::sort(answers->visits, std::ranges::greater(), &visit::RunningVisit::since_begin);
  co_return std::move(answers->visits);
}

LaneTotals LanePool::totals() const {
  LaneTotals totals{.steps = {}, .documents = helpers_.documents->report()};
  std::vector<visit::StepReport>& sums = totals.steps;
  for (const auto& lane : lanes_) {
    const auto steps = lane->pipelines().report();
    sums.resize(steps.size());
    for (size_t i = 0; i < steps.size(); ++i) sums[i].add(steps[i]);
  }
  return totals;
}

uint64_t LanePool::received() const {
  uint64_t received = 0;
  for (const auto& lane : lanes_) received += lane->received();
  return received;
}

Result<void> LanePool::end_visit(uint64_t lease, std::string_view url) {
  const size_t lane = watch_->lane_of(lease).value_or(0);
  if (watch_->stands(lane))
    return fail(
        ErrorCode::conflict,
        fmt::format("lane {} stands still, and the visit of {} with it: stop the crawl, and resume it", lane, url));
  lanes_[lane]->end(lease);
  return {};
}

void LanePool::abort() {
  for (const auto& lane : lanes_) lane->abort();
  // Behind that: visits whose program is ended here are given back.
  helpers_.programs->stop();
}

aio::Task<void> LanePool::drain() {
  drained_.resize(lanes_.size());
  for (size_t lane = 0; lane < lanes_.size(); ++lane)
    lanes_[lane]->drain([this, lane] {
      loop_.post([this, lane] {
        drained_[lane] = true;
        changed_.notify();
      });
    });
  size_t lane = 0;
  while (lane < lanes_.size()) {
    if (drained_[lane] || watch_->stands(lane))
      has_left_any_ |= !drained_[lane++];
    else
      co_await changed_.wait();
  }
}

}  // namespace caddis::crawl
