#include "caddis/crawl/digest_rows.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <mutex>

#include "caddis/base/hash.h"
#include "caddis/base/log.h"
#include "caddis/commit/commit_group.h"
#include "caddis/commit/staged_write.h"
#include "caddis/crawl/digest_run.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/dedup/original_row.h"
#include "caddis/repair/repair.h"
#include "caddis/visit/visit_result.h"

namespace caddis::crawl {
namespace {

constexpr size_t kPackSize = 8 << 10;

uint64_t fingerprint_of(std::string_view key) { return siphash(key, 0, 0); }

std::string pack_key(uint64_t number) {
  std::string key(kDigestPackRow);
  const uint64_t sorted = std::byteswap(number);
  return key.append(reinterpret_cast<const char*>(&sorted), sizeof sorted);
}

uint64_t number_of_pack(std::string_view key) {
  uint64_t number = 0;
  if (key.size() != kDigestPackRow.size() + sizeof number) return 0;
  std::memcpy(&number, key.data() + kDigestPackRow.size(), sizeof number);
  return std::byteswap(number);
}

dedup::Likeness likeness_of(const dedup::Original& original, const dedup::Question& question,
                            const dedup::IndexKey& key) {
  if (original.url == question.url) return dedup::Likeness::url;
  const bool is_same =
      key.of(original.url) == (question.url_key.empty() ? key.of(question.url) : std::string(question.url_key));
  return is_same ? dedup::Likeness::canonical : dedup::Likeness::digest;
}

// Gives each row of each pack from `first` on.
using UsePacked = std::function<Result<void>(DigestPlace place, const dedup::PackedRow& row)>;
Result<void> each_packed(store::Kv& kv, uint64_t first, const UsePacked& use) {
  const auto rows = kv.cursor(kDigests);
  for (rows->seek(pack_key(first)); rows->valid() && rows->key().starts_with(kDigestPackRow); rows->next()) {
    const uint64_t number = number_of_pack(rows->key());
    for (size_t at = 0; at < rows->value().size();) {
      const size_t begin = at;
      TRY(const dedup::PackedRow row, dedup::unpack_row(rows->value(), at));
      TRY_VOID(use({fingerprint_of(row.key), DigestPlace::of(number, begin)}, row));
    }
  }
  return rows->status();
}

}  // namespace

// The worker sorts the places, and puts them into the batch of their group.
class DigestRows::WriteRun final : public commit::StagedWrite {
 public:
  WriteRun(Moving moving, uint32_t number, uint64_t next_pack)
      : moving_(std::move(moving)), number_(number), next_pack_(next_pack) {}
  void seal(commit::GroupOutput&, commit::CommitGroup& group) override {
    *moving_.run = DigestRun::write(group.batch(), number_, moving_.table->sorted(), next_pack_);
  }

 private:
  Moving moving_;
  uint32_t number_;
  uint64_t next_pack_;
};

DigestRows::DigestRows(store::Kv& kv, uint64_t most, dedup::IndexKey key)
    : kv_(kv), most_(most), key_(std::move(key)), table_(std::make_shared<DigestTable>()) {}

DigestRows::~DigestRows() = default;

Result<void> DigestRows::open(store::StreamSet&) {
  auto runs = DigestRun::open_all(kv_);
  // As a death while they were forgotten leaves them.
  if (!runs && runs.error().code == ErrorCode::corrupt) {
    log_warn("dedup", "{}: what this crawl has stored so far is not known again", runs.error().message);
    TRY_VOID(repair::forget_digests(kv_));
    runs = DigestRun::open_all(kv_);
  }
  TRY(runs_, std::move(runs));
  if (!runs_.empty()) next_pack_ = runs_.back()->next_pack();
  return each_packed(kv_, next_pack_, [this](DigestPlace place, const dedup::PackedRow&) -> Result<void> {
    table_->add(place);
    next_pack_ = place.pack() + 1;
    return {};
  });
}

void DigestRows::on_final(visit::VisitResult& result) {
  for (visit::Capture& capture : result.captures) {
    if (!capture.original) continue;
    gathered_.push_back(*std::move(capture.original));
    const std::scoped_lock lock(mutex_);
    pending_.insert(gathered_.back());
  }
}

// Runs are made smaller as their filters grow, but not so small that a look-up has to ask very many.
uint64_t DigestRows::most_places() const {
  uint64_t filters = 0;
  for (const auto& run : runs_) filters += run->memory_bytes();
  const uint64_t taken = filters / DigestTable::kMostBytesEach;
  return std::max(most_ / 4, most_ - std::min(most_, taken));
}

void DigestRows::begin_run(commit::CommitGroup& group) {
  const uint64_t next_pack = staged_.empty() ? next_pack_ : staged_.front().first_pack;
  const auto number = static_cast<uint32_t>(runs_.size());
  Moving moving{group.number(), table_, std::make_shared<std::shared_ptr<const DigestRun>>()};
  group.add(std::make_unique<WriteRun>(moving, number, next_pack));
  const std::scoped_lock lock(mutex_);
  moving_ = std::move(moving);
  table_ = std::make_shared<DigestTable>();
}

void DigestRows::stage(commit::CommitGroup& group) {
  if (gathered_.empty()) return;
  if (!moving_ && table_->size() >= most_places()) begin_run(group);
  Staged staged{group.number(), next_pack_, {}, {}};
  staged.places.reserve(gathered_.size());
  std::string pack;
  const auto put = [&] {
    group.batch().put(kDigests, pack_key(next_pack_++), pack);
    pack.clear();
  };
  for (auto& [key, value] : gathered_) {
    staged.places.push_back({fingerprint_of(key), DigestPlace::of(next_pack_, pack.size())});
    dedup::pack_row(pack, key, value);
    staged.keys.push_back(std::move(key));
    if (pack.size() >= kPackSize) put();
  }
  if (!pack.empty()) put();
  gathered_.clear();
  staged_.push_back(std::move(staged));
}

void DigestRows::committed(commit::GroupNumber group) {
  const std::scoped_lock lock(mutex_);
  for (; !staged_.empty() && staged_.front().group <= group; staged_.pop_front()) {
    for (const DigestPlace& place : staged_.front().places) table_->add(place);
    for (const std::string& key : staged_.front().keys) pending_.erase(key);
  }
  if (!moving_ || moving_->group > group) return;
  runs_.push_back(*moving_->run);
  moving_.reset();
}

Result<std::vector<DigestPlace>> DigestRows::places_of(uint64_t fingerprint) const {
  std::vector<DigestPlace> places;
  std::vector<std::shared_ptr<const DigestRun>> runs;
  {
    const std::shared_lock lock(mutex_);
    table_->find(fingerprint, places);
    if (moving_) moving_->table->find(fingerprint, places);
    runs = runs_;
  }
  for (const auto& run : runs) TRY_VOID(run->find(kv_, fingerprint, places));
  // The earliest capture first.
  std::ranges::sort(places, {}, &DigestPlace::place);
  return places;
}

Result<std::optional<std::string>> DigestRows::row(std::string_view key) const {
  std::optional<std::string> pending;
  {
    const std::shared_lock lock(mutex_);
    if (const auto found = pending_.find(std::string(key)); found != pending_.end()) pending = found->second;
  }
  // Rows that were committed meanwhile are in the places.
  TRY(const auto places, places_of(fingerprint_of(key)));
  for (const DigestPlace& place : places) {
    TRY(const auto pack, kv_.get(kDigests, pack_key(place.pack())));
    if (!pack) continue;
    size_t at = place.offset();
    TRY(const dedup::PackedRow found, dedup::unpack_row(*pack, at));
    if (found.key == key) return std::string(found.value);
  }
  return pending;
}

// Strategies by URL have rows of their own; the row of the digest alone may be of the same URL, too.
Result<std::optional<dedup::Match>> DigestRows::find(dedup::Strategy strategy, const dedup::Question& question) const {
  for (const dedup::Strategy kind : {strategy, dedup::Strategy::any}) {
    const auto key = dedup::row_key(kind, question, key_);
    if (!key) return std::nullopt;
    TRY(const auto value, row(*key));
    if (!value) {
      if (strategy != dedup::Strategy::url && strategy != dedup::Strategy::canonical) break;
      continue;
    }
    TRY(dedup::Original original, dedup::read_row(*value));
    const dedup::Likeness likeness = likeness_of(original, question, key_);
    if (serves(strategy, likeness)) return dedup::Match{std::move(original), likeness};
  }
  return std::nullopt;
}

Result<void> DigestRows::each(store::Kv& kv, const Use& use) {
  return each_packed(kv, 0, [&](DigestPlace, const dedup::PackedRow& row) { return use(row.key, row.value); });
}

}  // namespace caddis::crawl
