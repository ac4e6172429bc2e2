#include "caddis/dns/resolver.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "caddis/aio/event.h"
#include "caddis/base/log.h"
#include "caddis/base/strings.h"
#include "caddis/dns/cache.h"
#include "caddis/dns/channel.h"
#include "caddis/dns/local_names.h"

namespace caddis::dns {
namespace {

// Addresses have one size; data of another is told in the form for unknown types.
bool is_well_formed(const Record& record) {
  return (record.type != Type::a && record.type != Type::aaaa) || !record.data.starts_with("\\#");
}

bool is_any(const Address& address) { return address.text == "0.0.0.0" || address.text == "::"; }

// Of a message, the records that answer the question for a host: those of its own name, and of the names that its
// CNAMEs lead to. Whatever else stands there was not asked for, and may be anybody's invention.
struct OwnRecords {
  std::vector<const Record*> records;
  std::string problem;  // of one of the others
};

OwnRecords own_records(const std::string& host, const Message& message) {
  constexpr int kLongestChain = 16;  // where the CNAMEs stand in no order
  std::unordered_set<std::string> names = {host + "."};
  bool grows = true;
  for (int round = 0; grows && round < kLongestChain; ++round) {
    grows = false;
    for (const Record& record : message.answers)
      if (record.type == Type::cname && record.record_class == 1 && names.contains(to_lower(record.name)))
        grows |= names.insert(to_lower(record.data)).second;
  }
  const auto covers = [&names](const Record& dname) {
    const std::string end = "." + to_lower(dname.name);
    return std::ranges::any_of(names, [&end](const std::string& name) { return name.ends_with(end); });
  };
  OwnRecords own;
  for (const Record& record : message.answers) {
    const bool is_own = names.contains(to_lower(record.name)) || (record.type == Type::dname && covers(record));
    if (!is_own)
      own.problem = "a record of another name, " + record.name;
    else if (!is_well_formed(record))
      own.problem = "a malformed record, " + to_string(record);
    else
      own.records.push_back(&record);
  }
  return own;
}

// The outcomes of a host's queries, and what they make together.
class Findings {
 public:
  // Of an answer, what is about `host`; gives what else was in it, in words, empty where there is nothing to tell.
  std::string add(const std::string& host, Result<Message> result) {
    if (!result) {
      Error error = std::move(result).error();
      std::string problem = error.code == ErrorCode::parse ? error.message : std::string();
      if (!failure_ || failure_->code == ErrorCode::not_found) failure_ = std::move(error);
      return problem;
    }
    const OwnRecords own = own_records(host, *result);
    for (const Record* record : own.records) add(*record);
    return own.problem;
  }

  bool has_addresses() const { return !addresses_.empty(); }

  Result<Answer> together(const std::string& host) && {
    if (addresses_.empty()) {
      if (failure_) return std::unexpected(*std::move(failure_));
      if (any_seen_) return fail(ErrorCode::not_found, "the address of " + host + " is 0.0.0.0, which is nowhere");
      return fail(ErrorCode::not_found, "the name " + host + " has no address");
    }
    Answer answer;
    answer.host = host;
    for (const bool v6 : {false, true}) {
      std::ranges::copy_if(addresses_, std::back_inserter(answer.addresses),
                           [v6](const Address& address) { return address.v6 == v6; });
    }
    answer.ttl = std::chrono::seconds(ttl_);
    for (const Record& record : records_) answer.records.push_back(to_string(record));
    return answer;
  }

 private:
  void add(const Record& record) {
    // Both answers bring the CNAMEs, with a TTL that may have ticked in between.
    const bool known = std::ranges::any_of(records_, [&record](const Record& old) {
      return old.type == record.type && old.name == record.name && old.data == record.data;
    });
    if (known || record.record_class != 1) return;
    if (record.type == Type::a || record.type == Type::aaaa) {
      Address address(record.data, record.type == Type::aaaa);
      if (is_any(address)) {
        any_seen_ = true;
        return;
      }
      addresses_.push_back(std::move(address));
    }
    ttl_ = std::min(ttl_, record.ttl);
    records_.push_back(record);
  }

  std::vector<Record> records_;
  std::vector<Address> addresses_;
  std::optional<Error> failure_;  // one that may pass goes before "does not exist"
  bool any_seen_ = false;
  uint32_t ttl_ = UINT32_MAX;
};

class CachingResolver final : public Resolver {
 public:
  CachingResolver(aio::Loop& loop, const Settings& settings, LocalNames names, std::unique_ptr<Channel> channel)
      : loop_(loop),
        settings_(settings),
        names_(std::move(names)),
        channel_(std::move(channel)),
        cache_(settings.cache_entries) {}

  aio::Task<void> end() override { return channel_->end(); }

  aio::Task<Result<Answer>> resolve(std::string asked) override {
    const std::string host = normal_host(asked);
    const auto* known = cache_.find(host, loop_.clock().steady());
    if (known) {
      Result<Answer> answer = *known;
      if (answer) answer->from_cache = true;
      co_return answer;
    }
    if (auto local = names_.find(host)) co_return answer_here(host, *std::move(local));
    if (settings_.system_hosts && !flights_.contains(host)) {
      if (auto local = channel_->system_hosts(host); !local.empty()) co_return answer_here(host, std::move(local));
    }
    const std::shared_ptr<Flight> flight = join(host);
    while (!flight->outcome) co_await flight->landed.wait();
    co_return *flight->outcome;
  }

 private:
  // A host's queries under way; shared by all who ask, and by the queries.
  struct Flight {
    Flight(aio::Loop& loop, std::string asked) : host(std::move(asked)), landed(loop) {}
    std::string host;
    Findings findings;
    int running = 0;
    aio::Loop::TimerId timer = 0;
    std::optional<Result<Answer>> outcome;
    aio::Event landed;
  };

  Answer answer_here(const std::string& host, std::vector<Address> addresses) {
    Answer answer;
    answer.host = host;
    answer.addresses = std::move(addresses);
    answer.ttl = settings_.ttl_floor;
    answer.when = loop_.clock().wall();
    return answer;
  }

  std::shared_ptr<Flight> join(const std::string& host) {
    std::shared_ptr<Flight>& flight = flights_[host];
    if (flight) return flight;
    flight = std::make_shared<Flight>(loop_, host);
    flight->running = settings_.ipv6 ? 2 : 1;
    const auto started = flight;
    ask(started, Type::a);
    if (settings_.ipv6) ask(started, Type::aaaa);
    return started;
  }

  void ask(const std::shared_ptr<Flight>& flight, Type type) {
    // With the root's dot: c-ares would put the machine's domain behind a name of one label otherwise.
    channel_->query(flight->host + ".", type, [this, flight](Result<Message> result) {
      --flight->running;
      if (flight->outcome) return;
      if (const std::string problem = flight->findings.add(flight->host, std::move(result)); !problem.empty())
        tell(flight->host, problem);
      if (flight->running == 0) {
        land(*flight);
      } else if (flight->findings.has_addresses()) {
        // Name servers that drop questions for AAAA are common.
        flight->timer = loop_.at(loop_.clock().steady() + settings_.other_family, [this, flight] {
          flight->timer = 0;
          if (!flight->outcome) land(*flight);
        });
      }
    });
  }

  // A server may have much to tell that nobody asked for.
  void tell(const std::string& host, const std::string& problem) {
    constexpr uint64_t kMost = 100;
    if (++problems_ > kMost) return;
    constexpr size_t kShown = 300;
    log_warn("dns", "the answer of {} about {} has {}, which does not count{}", channel_->server(), host,
             problem.substr(0, kShown), problems_ == kMost ? "; more of these are not told" : "");
  }

  void land(Flight& flight) {
    if (flight.timer != 0) loop_.cancel(std::exchange(flight.timer, 0));
    flight.outcome = std::move(flight.findings).together(flight.host);
    Result<Answer>& outcome = *flight.outcome;
    const SteadyTime now = loop_.clock().steady();
    if (outcome) {
      outcome->server = channel_->server();
      outcome->when = loop_.clock().wall();
      outcome->ttl = std::max(outcome->ttl, settings_.ttl_floor);
      cache_.put(flight.host, outcome, now + outcome->ttl);
    } else if (outcome.error().code == ErrorCode::not_found) {
      cache_.put(flight.host, outcome, now + settings_.negative_ttl);
    }
    flight.landed.notify();
    flights_.erase(flight.host);
  }

  aio::Loop& loop_;
  const Settings settings_;
  const LocalNames names_;
  std::unordered_map<std::string, std::shared_ptr<Flight>> flights_;
  std::unique_ptr<Channel> channel_;
  Cache cache_;
  uint64_t problems_ = 0;  // told
};

}  // namespace

Result<std::unique_ptr<Resolver>> make_resolver(aio::Loop& loop, const Settings& settings) {
  TRY(LocalNames names, LocalNames::create(settings.hosts));
  TRY(auto channel, Channel::create(loop, settings));
  return std::make_unique<CachingResolver>(loop, settings, std::move(names), std::move(channel));
}

Result<std::unique_ptr<Resolver>> make_resolver(aio::Loop& loop, const Settings& settings,
                                                std::unique_ptr<Transport> transport) {
  TRY(LocalNames names, LocalNames::create(settings.hosts));
  TRY(auto channel, Channel::create(loop, settings, std::move(transport)));
  return std::make_unique<CachingResolver>(loop, settings, std::move(names), std::move(channel));
}

}  // namespace caddis::dns
