// Which hosts are in memory, and where the others are.
//
// In memory are hosts that are being visited or soon will be, at most a number that the memory allows. The others are a
// row each; those that have URLs waiting stand in the due index (by the time they are due) and come in when it is their
// turn and there is room. What is found for a host that is out is a letter into its inbox: written blindly, nothing is
// read for it, and opened when the host comes in. So ten million hosts cost disk, and memory for those at work.
//
// All changes are pending until `stage` moves them into the batch of a group; a host leaves memory only when its row is
// committed. Until then its uncommitted rows are answered from memory.
//
// Invariants: a host with work has an entry in the due index (there may be entries without work: they are dropped when
// their turn comes). Entries of hosts in memory lie behind the place up to which the index was read.
//
// Not thread-safe: part of the frontier.
#pragma once

#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/frontier/host.h"
#include "caddis/frontier/identity.h"
#include "caddis/frontier/rows.h"
#include "caddis/store/kv.h"

namespace caddis::frontier {

// The families of the key-value store that the frontier owns.
struct Families {
  store::Family hosts, chunks, retries, robots, inbox, due, totals;
};

// Of a host of which any number of URLs is taken.
inline constexpr uint64_t kNoBudget = ~uint64_t{0};

class HostStore {
 public:
  HostStore(const Families& families, store::Kv& kv, const Clock& clock, const Identity& identity, size_t most)
      : families_(families), kv_(kv), clock_(clock), identity_(identity), most_(most) {}
  // Reads the totals, nothing else.
  Result<void> open();

  // Nothing waits longer than that: what seems to was written under a clock that has been set back since, also by
  // another process, and is due.
  void set_longest_wait(Duration longest) { longest_wait_ = longest; }
  // From now on the domains that link to each host are counted.
  void count_linking(bool counts) { counts_linking_ = counts; }
  void note_linking(Host& host, std::string_view via);
  // How many URLs of a host are taken, seeds and forced ones aside: asked when its letters are opened.
  void set_budget(std::function<uint64_t(const Host&)> budget) { budget_of_ = std::move(budget); }
  void leave_out_what_is_over_budget(const Host& host, std::vector<Candidate>& items);

  Totals& totals() { return totals_; }
  const Totals& totals() const { return totals_; }
  const Families& families() const { return families_; }

  // --- hosts in memory
  // Null where it is out. It may be leaving: then `keep` it, if it is to be used.
  Host* find(const std::string& name);
  void keep(Host& host) { host.leaving = 0; }
  // Reads it, or makes a new one, also beyond the limit.
  Result<Host*> fetch(const std::string& name);
  // Whether the host was ever heard of.
  Result<bool> knows(const std::string& name);
  // Hosts of the registrable domain that came in since the start, at least.
  uint64_t hosts_of_domain(std::string_view host) const;
  // Reads the row of a host that is out into `host`, which has its name: to look, not to work with. False where there
  // is no such host.
  Result<bool> peek(Host& host);
  // The same with its retries and robots.txt.
  Result<bool> look(Host& host);
  // Calls `see` with each host that has a row and is out, from the place `from` on ("": the first), of `most` rows.
  // Gives the place to go on from, empty where that was all.
  Result<std::string> each_outside(const std::function<void(Host&)>& see, std::string_view from = "",
                                   size_t most = std::numeric_limits<size_t>::max());
  // The names of hosts that are out and have an entry in the due index, in the same way by their entries.
  Result<std::string> indexed_outside(std::vector<std::string>& names, std::string_view from, size_t most);
  Queue& queue_of(Host& host, const std::string& origin);
  bool has_room() const { return hosts_.size() < most_; }
  // True while there may be hosts with work that are out.
  bool has_more() const { return !index_exhausted_ || set_back_in_ || caught_up_to_; }
  // Takes in hosts whose entry in the index is due at `until`, as far as there is room, at most `most`.
  Result<std::vector<Host*>> take_in(WallTime until, size_t most);
  // When `take_in` may have one; nothing where all that have work are in memory or there is no room.
  std::optional<WallTime> next_due() const;
  // Sends the host out as soon as its row is committed. It has no visit, and none of its queues waits in memory.
  // `due`: when it is to come in again, where it has work.
  void send_out(Host& host, WallTime due);
  size_t leaving() const { return leaving_.size(); }
  // Hosts are to leave, and no stage holds their rows yet.
  bool wants_commit() const {
    return (!leaving_.empty() && leaving_.back().first == stage_number_) || set_back_in_ == stage_number_;
  }
  size_t in_memory() const { return hosts_.size(); }
  void each(const std::function<void(Host&)>& see) const;

  // --- rows
  // A chunk for a host that is out.
  void put_letter(const std::string& host, const Letter& letter, uint64_t urls);
  void put_chunk(Queue& queue, LineNumber line, std::string bytes);
  Result<ChunkBytes> chunk(const Queue& queue, const QueueLine& line, uint64_t number);
  RetryKey put_retry(Queue& queue, WallTime due, const RetryRow& row);
  Result<RetryRow> retry(const Queue& queue, const RetryKey& key);
  void erase_retry(Queue& queue, const RetryKey& key);
  void put_robots(Queue& queue, std::string_view text);
  void mark(Host& host);
  // Whether a quota has retired queues of it: those are looked up when the quotas change.
  void mark_over(const Host& host, bool over);
  // Hosts of which that was said, at most `most`, from `marker` on, which moves on and is empty at the end.
  Result<std::vector<std::string>> hosts_over(std::string& marker, size_t most);
  // Whatever the host has to do from now on will not be forgotten: it has an entry in the due index.
  void index(Host& host);
  // The same where its entry is of a time that counts no more.
  void index_anew(Host& host);

  // --- committing
  uint64_t stage(store::Batch& batch);
  void committed(uint64_t stage_number);

  // Calls `see` with the key and value of every row of `family` that begins with `prefix`, those not committed
  // included, and without those that are erased.
  // `rows` may be given: a cursor that was made since the last commit.
  Result<void> each_row(store::Family family, std::string_view prefix,
                        const std::function<Result<void>(std::string_view, std::string_view)>& see,
                        store::Cursor* rows = nullptr);
  // The same from the key `from` on, until `see` says false.
  Result<void> each_row_from(store::Family family, std::string_view prefix, std::string_view from,
                             const std::function<Result<bool>(std::string_view, std::string_view)>& see,
                             store::Cursor* rows = nullptr);
  // Whether there is such a row.
  Result<bool> has_row(store::Family family, const std::string& key);

 private:
  // A row that was put (or erased, without a value) in a stage that may not be committed.
  struct Uncommitted {
    std::optional<std::string> value;
    uint64_t stage;
    bool is_new;  // the store has no such row before this stage
  };
  using Overlay = std::map<std::string, Uncommitted, std::less<>>;

  // Hosts that are out and have an entry in the index for their letters, by hash, as many as its places hold: who is
  // forgotten gets a second entry, which is dropped when it is read. Made when it is needed.
  class Mailed {
   public:
    // Whether it was not there.
    bool insert(uint64_t hash) {
      if (places_.empty()) places_.resize(kPlaces);
      return std::exchange(places_[hash % kPlaces], hash) != hash;
    }
    void erase(uint64_t hash) {
      if (!places_.empty() && places_[hash % kPlaces] == hash) places_[hash % kPlaces] = 0;
    }

   private:
    static constexpr size_t kPlaces = 1 << 20;
    std::vector<uint64_t> places_;
  };

  Result<Host*> load(const std::string& name, store::Cursor* letters = nullptr);
  void count_domain(std::string_view host);
  Result<HostRow> read_row(Host& host, std::string_view bytes);
  Result<void> read_retries(Host& host, const std::vector<uint64_t>& counts);
  Result<void> read_robots(Host& host);
  Result<void> open_letters(Host& host, store::Cursor* letters);
  Result<void> take_letter(Host& host, const Letter& letter);
  Result<std::string> row(store::Family family, const std::string& key, const Queue& queue);
  void change(store::Family family, std::string key, std::optional<std::string> value, bool is_new = false);
  static bool has_chunk(const Host& host, const RowOwner& chunk);
  void fetch_ahead(size_t index) const;
  void stage_chunks(Host& host);
  std::map<std::string, std::optional<std::string>, std::less<>> uncommitted(store::Family family,
                                                                             std::string_view prefix) const;
  WallTime index_time(WallTime due);
  void mind_clock();
  WallTime horizon() const;
  Result<void> catch_up(std::vector<Host*>& taken, size_t most);

  Families families_;
  store::Kv& kv_;
  const Clock& clock_;
  Identity identity_;
  size_t most_;
  bool counts_linking_ = false;
  std::function<uint64_t(const Host&)> budget_of_;
  Duration longest_wait_ = std::chrono::hours(24);
  Totals totals_, written_;

  std::unordered_map<std::string, std::unique_ptr<Host>> hosts_;
  std::deque<std::pair<uint64_t, std::string>> leaving_;  // by the stage that holds their rows
  Mailed mailed_;

  std::unordered_map<std::string, uint64_t> domains_;  // hosts of each, as many domains as are worth it

  std::string read_to_;  // the index is read up to here
  WallTime read_to_time_{};
  bool index_exhausted_ = false;
  std::optional<WallTime> index_next_;
  bool index_grew_ = true;  // it is to be looked into again
  // The wall clock was set back: when this stage is committed, all entries that were made before are in the index …
  std::optional<uint64_t> set_back_in_;
  // … and up to here they have been looked at.
  std::optional<std::string> caught_up_to_;
  WallTime last_wall_{};
  SteadyTime last_steady_{};

  store::Batch pending_;
  std::vector<Host*> dirty_;
  uint64_t stage_number_ = 1;
  // Changes to retries and letters that may not be in the store yet; those of the stage that is put together, and of
  // the others.
  std::unordered_map<store::Family, Overlay> overlay_;
  std::vector<std::pair<store::Family, Overlay::iterator>> changed_;
  std::deque<std::tuple<uint64_t, store::Family, Overlay::iterator>> staged_;
  std::deque<std::pair<uint64_t, Host*>> staged_chunks_;  // hosts with chunks that may not be in the store yet
  bool pending_index_ = false;
  std::deque<uint64_t> index_stages_;  // stages that bring entries for hosts that are out
};

}  // namespace caddis::frontier
