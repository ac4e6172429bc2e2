// One visit of one lease, from the lane that takes it to the result that the committer gets. It owns everything of the
// visit: lease, exchange, body, links, what its steps tell each other, and the memory of all that.
//
// Steps fill it in (step.h). Its effective settings are those of the moment at which it began. Belongs to its lane's
// thread; it stays where it is, since its parts borrow from each other.
#pragma once

#include <functional>
#include <memory>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/archive/capture.h"
#include "caddis/config/settings_cache.h"
#include "caddis/extract/extract.h"
#include "caddis/fetch/decoded_body.h"
#include "caddis/fetch/http_fetcher.h"
#include "caddis/url/url.h"
#include "caddis/visit/known_payload.h"
#include "caddis/visit/slots.h"
#include "caddis/visit/visit_result.h"

namespace caddis::visit {

// A request other than a GET, as indexes have it: its method, and what stands for its body in a query.
struct SentBody {
  std::string method, body;
};

// A fetched document, and what steps have made of it.
struct FetchedDocument {
  std::optional<fetch::FetchOutcome> outcome;
  std::optional<fetch::DecodedBody> body;       // borrows from `outcome` or `stored`
  std::optional<extract::Extracted> extracted;  // of `body`
  // The response of an earlier capture, if the server says that nothing has changed since.
  std::optional<http::Exchange> stored;
  std::optional<AskedAbout> asked_about;
  std::optional<KnownPayload> known;
  LoginFacts login;  // of its fetch
  SentBody sent;
  std::vector<archive::Attachment> attachments;  // to the records of its capture

  // Null if no response came.
  const http::Exchange* exchange() const { return outcome && outcome->exchange ? &*outcome->exchange : nullptr; }
  // The response that readers look at: null if there is none.
  const http::Exchange* readable() const { return stored ? &*stored : exchange(); }
  // All bytes of `body`, which is there: made again if it was put away. An Error is our own: the spool's file.
  Result<std::string_view> body_bytes();
  // Makes them for a reader beside the lane, who takes them when it is free: what waits until then is put away. Called
  // on any thread, while the visit waits.
  std::function<Result<std::string>()> bringer() const;
};

class Visit {
 public:
  // `clock` outlives it; `lane` is its number, for the log.
  Visit(frontier::Lease lease, std::shared_ptr<config::SettingsCache> settings, const Clock& clock, unsigned lane);
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;

  const frontier::Lease& lease() const { return result.disposition.lease; }
  bool is_prerequisite() const { return lease().kind != frontier::LeaseKind::url; }

  // The URL at hand: that of the lease, or the next of a chain. Null if there is none.
  const url::Url* url() const { return url_ ? &*url_ : nullptr; }
  // Goes on with the target of a redirect or of a form ('S'; none: it is no URL). The document is dropped, its line goes
  // into the result.
  void follow(std::optional<url::Url> target, char hop = 'R');

  // The settings that hold for the URL at hand, and those of the lease's host.
  const config::EffectiveSettings& site();
  const config::EffectiveSettings& host();
  // The settings of other URLs and hosts.
  config::SettingsCache& settings() { return *settings_; }
  // Whether the settings let that step run for what is known of the visit now.
  bool allows(std::string_view step);
  // Whether a guard says which bodies are received, and what it says of the response with that head.
  bool guards_body();
  bool wants_body(const http::ResponseHead& head, int64_t length);

  // Freed at once, with the visit.
  std::pmr::memory_resource* memory() { return &memory_; }

  // --- how it ends. Each concludes the visit: what is left to run are the closing steps
  // Puts the URL on record with that status, without a fetch.
  void conclude(int status);
  // Gives the lease back as it was: it was not tried at all, and nothing is on record.
  void give_back();
  // Puts a lease on record that the frontier has given up.
  void give_up();
  // The machine has failed (step.h).
  void fail(Error error);
  bool is_concluded() const { return phase_ == Phase::concluded; }
  const std::optional<Error>& failure() const { return failure_; }

  // --- the operator may end a visit while it fetches
  void begin_fetch() { phase_ = Phase::fetching; }
  // Returns whether the visit was ended meanwhile.
  bool end_fetch();
  // Returns whether there is a fetch to be ended.
  bool interrupt();

  // Begins the line of the URL at hand, and takes its status into the disposition.
  LoggedVisit& begin_line(std::string_view shown_url, std::string_view host, int status);
  // Returns an entry for another URL of the visit.
  LogEntry entry_for(std::string_view shown_url, int status) const;

  // The step it is in, and since when.
  std::string_view step() const { return place_.step; }
  SteadyTime since() const { return place_.since; }
  SteadyTime began() const { return place_.began; }
  void enter(std::string_view step) { place_ = {step, clock_.steady(), place_.began}; }

 private:
  bool asks_guard(std::string_view step, const scope::Answer& answer);

  enum class Phase { on_its_way, fetching, ended_by_operator, concluded };
  struct Place {
    std::string_view step;
    SteadyTime since{};
    SteadyTime began{};  // of the visit
  };

  std::shared_ptr<config::SettingsCache> settings_;  // of the moment at which it began
  const Clock& clock_;
  const unsigned lane_;
  std::pmr::monotonic_buffer_resource memory_;
  std::optional<url::Url> url_;
  std::string hops_;
  const config::EffectiveSettings* site_ = nullptr;  // null: not looked up yet
  const config::EffectiveSettings* host_ = nullptr;
  Place place_;
  Phase phase_ = Phase::on_its_way;
  std::optional<Error> failure_;

 public:
  // --- made by steps, for those behind them; before the memory goes, they do
  FetchedDocument document;
  std::optional<LoggedVisit> line;  // of the URL at hand
  Slots slots;
  VisitResult result;
};

}  // namespace caddis::visit
