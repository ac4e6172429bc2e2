#include "caddis/crawl/feed_rows.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "caddis/crawl/store_layout.h"
#include "caddis/frontier/bytes.h"

namespace caddis::crawl {
namespace {

using feeds::FeedSite;
using feeds::FeedState;
using feeds::SiteFacts;
using frontier::put_be64;
using frontier::put_string;
using frontier::put_varint;

constexpr uint8_t kVersion = 1;

void put_time(std::string& out, WallTime time) {
  put_varint(out, static_cast<uint64_t>(time.time_since_epoch().count()));
}

WallTime time_of(frontier::Reader& in) { return WallTime(std::chrono::microseconds(in.varint())); }

std::string head() { return std::string(1, static_cast<char>(kVersion)); }

// The row of a site, without its feeds.
struct SiteRow {
  FeedSource source = FeedSource::settings;
  std::string plan;
  SiteFacts facts;
};

std::optional<SiteRow> read_site_row(std::string_view row) {
  frontier::Reader in(row);
  SiteRow read;
  if (in.u8() != kVersion) return {};
  const uint8_t source = in.u8(), status = in.u8();
  if (source > static_cast<uint8_t>(FeedSource::database) || status > static_cast<uint8_t>(feeds::SiteStatus::ended))
    return {};
  read.source = static_cast<FeedSource>(source);
  read.plan = in.string();
  SiteFacts& facts = read.facts;
  facts.status = static_cast<feeds::SiteStatus>(status);
  facts.round_began = time_of(in);
  facts.round_ended = time_of(in);
  facts.next = time_of(in);
  facts.interval = std::chrono::milliseconds(in.varint());
  for (uint64_t* const number : {&facts.round, &facts.in_progress, &facts.found_in_round, &facts.found, &facts.implied,
                                 &facts.derived, &facts.captured, &facts.failed, &facts.cut_rounds})
    *number = in.varint();
  for (uint64_t left = in.varint(); left > 0 && in.ok(); --left) facts.implied_in_round.emplace_back(in.string());
  if (in.ok() && !in.at_end()) facts.lost_redirects = in.varint();
  if (!in.ok() || !in.at_end()) return {};
  return read;
}

std::unexpected<Error> corrupt(std::string_view key) {
  return fail(ErrorCode::corrupt,
              fmt::format("the row {} of the state is damaged: go back to a checkpoint (caddis crawl "
                          "--resume --checkpoint latest)",
                          key));
}

}  // namespace

std::string_view to_string(FeedSource source) {
  switch (source) {
    case FeedSource::settings:
      return "settings";
    case FeedSource::api:
      return "api";
    case FeedSource::database:
      return "database";
  }
  return "";
}

// A plan that is to hold when the round is over comes again from who has named it, but for the API: there it is the
// one kept.
std::string write_feed_site(FeedSource source, const FeedSite& site) {
  std::string row = head();
  const SiteFacts& facts = site.facts();
  row += static_cast<char>(source);
  row += static_cast<char>(facts.status);
  put_string(row, to_line(site.latest_plan()));
  put_time(row, facts.round_began);
  put_time(row, facts.round_ended);
  put_time(row, facts.next);
  put_varint(row, static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(facts.interval).count()));
  for (const uint64_t number : {facts.round, facts.in_progress, facts.found_in_round, facts.found, facts.implied,
                                facts.derived, facts.captured, facts.failed, facts.cut_rounds})
    put_varint(row, number);
  put_varint(row, facts.implied_in_round.size());
  for (const std::string& page : facts.implied_in_round) put_string(row, page);
  if (facts.lost_redirects > 0) put_varint(row, facts.lost_redirects);
  return row;
}

std::string write_feed(const FeedState& state) {
  std::string row = head();
  for (const std::string* const text :
       {&state.title, &state.form, &state.trouble, &state.capture.url, &state.capture.record_id, &state.capture.etag,
        &state.capture.last_modified, &state.capture.digest, &state.capture.mime})
    put_string(row, *text);
  for (const WallTime time :
       {state.capture.date, state.last_fetch, state.last_found, state.last_failure, state.not_before})
    put_time(row, time);
  for (const uint64_t number : {static_cast<uint64_t>(state.newest), state.fetches, state.unchanged, state.found,
                                state.failures, state.failures_in_row, state.asked, state.answered})
    put_varint(row, number);
  put_varint(row, state.items.size());
  for (const feeds::KnownItem& item : state.items) {
    put_be64(row, item.identity);
    put_be64(row, item.link);
    put_varint(row, static_cast<uint64_t>(item.date));
  }
  return row;
}

Result<FeedState> read_feed(std::string_view row) {
  frontier::Reader in(row);
  FeedState state;
  const bool is_known = in.u8() == kVersion;
  for (std::string* const text :
       {&state.title, &state.form, &state.trouble, &state.capture.url, &state.capture.record_id, &state.capture.etag,
        &state.capture.last_modified, &state.capture.digest, &state.capture.mime})
    *text = in.string();
  for (WallTime* const time :
       {&state.capture.date, &state.last_fetch, &state.last_found, &state.last_failure, &state.not_before})
    *time = time_of(in);
  state.newest = static_cast<int64_t>(in.varint());
  for (uint64_t* const number : {&state.fetches, &state.unchanged, &state.found, &state.failures,
                                 &state.failures_in_row, &state.asked, &state.answered})
    *number = in.varint();
  for (uint64_t left = in.varint(); left > 0 && in.ok(); --left) {
    feeds::KnownItem& item = state.items.emplace_back();
    item.identity = in.be64();
    item.link = in.be64();
    item.date = static_cast<int64_t>(in.varint());
  }
  if (!is_known || !in.ok() || !in.at_end()) return fail(ErrorCode::corrupt, "it is no row of a feed");
  return state;
}

std::string feed_site_key(std::string_view site) { return std::string(kFeedSiteRow).append(site); }

std::string feed_key(std::string_view site, std::string_view feed) {
  return std::string(kFeedRow).append(site).append("/").append(feed);
}

Result<std::map<std::string, KeptFeedSite, std::less<>>> read_feed_sites(store::Kv& kv) {
  std::map<std::string, std::map<std::string, FeedState>, std::less<>> states;
  std::map<std::string, KeptFeedSite, std::less<>> all;
  const auto rows = kv.cursor(kMeta);
  for (rows->seek(kFeedRow); rows->valid() && rows->key().starts_with(kFeedRow); rows->next()) {
    const std::string_view key = rows->key().substr(kFeedRow.size());
    const size_t slash = key.find('/');
    auto state = read_feed(rows->value());
    if (!state || slash == key.npos) return corrupt(rows->key());
    states[std::string(key.substr(0, slash))].emplace(key.substr(slash + 1), *std::move(state));
  }
  for (rows->seek(kFeedSiteRow); rows->valid() && rows->key().starts_with(kFeedSiteRow); rows->next()) {
    const std::string name(rows->key().substr(kFeedSiteRow.size()));
    auto row = read_site_row(rows->value());
    if (!row) return corrupt(rows->key());
    auto plan = feeds::parse_site_plan(row->plan);
    if (!plan) return corrupt(rows->key());
    all.emplace(name,
                KeptFeedSite{row->source, FeedSite(*std::move(plan), std::move(row->facts), std::move(states[name]))});
  }
  TRY_VOID(rows->status());
  return all;
}

}  // namespace caddis::crawl
