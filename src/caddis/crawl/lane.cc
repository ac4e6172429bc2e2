#include "caddis/crawl/lane.h"

#include <memory>

namespace caddis::crawl {
namespace {

http::PoolLimits idle_limits(const frontier::PolitenessSettings& politeness) {
  return {.max_idle_per_address = static_cast<size_t>(politeness.max_per_address)};
}

}  // namespace

Lane::Lane(unsigned number, Parts parts, const CrawlContext& context, std::function<void(VisitResult)> done)
    : number_(number),
      loop_(parts.loop),
      network_(std::move(parts.network)),
      resolver_(std::move(parts.resolver)),
      context_(context),
      done_(std::move(done)),
      random_(parts.seed),
      sites_(context.sites),
      client_(loop_, *network_, context.spools, idle_limits(context.settings.politeness)),
      fetcher_(client_, loop_.clock(), context.user_agent, std::move(parts.proxy), &context.addresses) {
  client_.on_turn([this](uint64_t lease) { steps_.enter(lease, "read"); });
}

void Lane::visit(frontier::Lease lease) {
  auto box = std::make_shared<frontier::Lease>(std::move(lease));
  loop_.post([this, box] { nursery_.spawn(run(std::move(*box))); });
}

aio::Task<void> Lane::run(frontier::Lease lease) {
  if (aborted_) {
    done_(not_tried(std::move(lease)));
    co_return;
  }
  if (lease.given_up != 0 && lease.kind != frontier::LeaseKind::url) {
    done_(given_up(std::move(lease)));
    co_return;
  }
  switch (lease.kind) {
    case frontier::LeaseKind::dns:
      hand_over(co_await visit_dns(std::move(lease)));
      break;
    case frontier::LeaseKind::robots:
      hand_over(co_await visit_robots(std::move(lease)));
      break;
    case frontier::LeaseKind::url:
      hand_over(co_await visit_url(std::move(lease)));
      break;
  }
}

void Lane::hand_over(VisitResult finished) {
  // Whatever else becomes of the visit may mean that its links are not taken.
  const frontier::Disposition& disposition = finished.disposition;
  if (disposition.verdict == frontier::Verdict::settled && !disposition.local_failure) recent_.add(finished.marks);
  finished.marks.clear();
  steps_.leave();
  done_(std::move(finished));
}

VisitResult Lane::not_tried(frontier::Lease lease) {
  VisitResult finished;
  finished.disposition.lease = std::move(lease);
  finished.disposition.verdict = frontier::Verdict::returned;
  finished.disposition.touched_host = false;
  return finished;
}

VisitResult Lane::given_up(frontier::Lease lease) {
  VisitResult finished;
  finished.reason = "it was given up: " + lease.why;
  finished.disposition.status = lease.given_up;
  finished.disposition.verdict = frontier::Verdict::host_failed;
  finished.disposition.host_is_hopeless = lease.kind == frontier::LeaseKind::dns;
  finished.disposition.touched_host = false;
  finished.disposition.lease = std::move(lease);
  return finished;
}

void Lane::begin_step(uint64_t lease, const char* step) {
  steps_.enter(lease, step);
  loop_.post([this, lease] { steps_.leave(lease); });
}

void Lane::ask() {
  ++asked_;
  loop_.post([this] { ++answered_; });
}

void Lane::end(uint64_t lease) {
  loop_.post([this, lease] {
    if (!running_.contains(lease)) return;
    ended_.insert(lease);
    client_.end(lease);
  });
}

void Lane::abort() {
  loop_.post([this] {
    aborted_ = true;
    client_.abort();
  });
}

void Lane::drain(std::function<void()> drained) {
  loop_.post([this, drained = std::move(drained)] { drainers_.spawn(wait_and_tell(drained)); });
}

aio::Task<void> Lane::wait_and_tell(std::function<void()> drained) {
  co_await nursery_.join();
  client_.close_idle();
  drained();
}

}  // namespace caddis::crawl
