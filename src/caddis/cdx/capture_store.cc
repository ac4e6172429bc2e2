#include "caddis/cdx/capture_store.h"

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/cdx/line.h"

namespace caddis::cdx {
namespace {

enum StoreFamily : store::Family { kCaptures, kAliases, kFiles, kAbout };
const std::vector<std::string> kFamilies = {"captures", "aliases", "files", "about"};

constexpr std::string_view kFormatRow = "format", kPolicyRow = "key-policy", kHashRow = "key-hash",
                           kFollowedRow = "followed";
constexpr std::string_view kFormat = "caddis-captures/1";
constexpr size_t kKnownFiles = 100'000;  // names held in memory
constexpr int kMostAliases = 32;         // of aliases of aliases
constexpr uint64_t kMostMoved = 1'000'000;

// Names and numbers of files: "n<name>" has the number, "i<number, 8 bytes, big endian>" the name.
std::string number_bytes(uint64_t number) {
  std::string bytes;
  for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift);
  return bytes;
}
uint64_t number_of(std::string_view bytes) {
  uint64_t number = 0;
  for (const char c : bytes) number = number << 8 | static_cast<unsigned char>(c);
  return number;
}

Result<url::KeyPolicy> policy_of_new(store::SortedStore& store, const std::string& notation) {
  TRY(url::KeyPolicy policy,
      notation.empty() ? Result<url::KeyPolicy>(url::KeyPolicy::ia_surt()) : url::KeyPolicy::parse(notation));
  store::Batch batch;
  batch.put(kAbout, kFormatRow, kFormat);
  batch.put(kAbout, kPolicyRow, policy.notation());
  batch.put(kAbout, kHashRow, policy.hash());
  TRY_VOID(store.write(batch, store::Durability::synced));
  return policy;
}

Result<url::KeyPolicy> policy_of(store::SortedStore& store, const std::string& path, const std::string& wanted) {
  TRY(const auto format, store.get(kAbout, kFormatRow));
  if (!format) return policy_of_new(store, wanted);
  if (*format != kFormat)
    return fail(ErrorCode::unsupported, path + ": written by another version of caddis, as " + *format);
  TRY(const auto notation, store.get(kAbout, kPolicyRow));
  TRY(const auto hash, store.get(kAbout, kHashRow));
  TRY(url::KeyPolicy policy, url::KeyPolicy::parse(notation.value_or("")));
  if (policy.hash() != hash.value_or(""))
    return fail(ErrorCode::conflict, path + ": its keys were made by another '" + *notation + "' than this caddis has");
  if (!wanted.empty()) {
    TRY(const url::KeyPolicy asked, url::KeyPolicy::parse(wanted));
    if (asked != policy)
      return fail(ErrorCode::conflict, path + ": its keys are made by '" + policy.notation() + "', not by '" +
                                           asked.notation() + "': leave the option out, or name another folder");
  }
  return policy;
}

size_t size_of(const Capture& capture) {
  size_t size = 0;
  for (const std::string* const part :
       {&capture.urlkey, &capture.url, &capture.mime, &capture.digest, &capture.redirect, &capture.filename})
    size += part->size();
  for (const auto& [name, json] : capture.extra) size += name.size() + json.size();
  return size + sizeof(Capture);
}

}  // namespace

// ---- reading

class CaptureStore::Cursor : public LineCursor {
 public:
  explicit Cursor(const CaptureStore& store) : store_(store), rows_(store.store_->cursor(kCaptures)) {}

  Result<void> stand_at(std::string_view line) {
    rows_.seek(row_place(line));
    TRY_VOID(read());
    // Rows of one key and time stand in the order of their places, lines in that of their bytes.
    while (!at_end() && is_before(line)) TRY_VOID(next());
    return {};
  }
  bool at_end() const override { return head_.empty(); }
  std::string_view head() const override { return head_; }
  std::string_view line() const override {
    if (line_.empty() && !head_.empty()) line_ = cdxj_line(capture_);
    return line_;
  }
  size_t size() const override { return head_.size() + capture_.url.size() + kMembersSize; }
  const Capture& capture() const { return capture_; }
  Result<void> next() override {
    if (rows_.valid()) rows_.next();
    return read();
  }
  Result<bool> previous() override {
    if (rows_.valid())
      rows_.previous();
    else
      rows_.seek_last();
    if (rows_.valid()) {
      TRY_VOID(read());
      return true;
    }
    TRY_VOID(rows_.status());
    rows_.seek({});
    TRY_VOID(read());
    return false;
  }

 private:
  Result<void> read() {
    head_.clear();
    line_.clear();
    if (!rows_.valid()) return rows_.status();
    TRY(const RowFiles files, decode_row(rows_.key(), rows_.value(), capture_));
    if (files.file != file_.first) {
      TRY(file_.second, store_.file_name(files.file));
      file_.first = files.file;
    }
    capture_.filename = file_.second;
    if (files.original != 0) {
      TRY(capture_.original_filename, store_.file_name(files.original));
    }
    head_ = capture_.urlkey + ' ' + capture_.timestamp + " {";
    return {};
  }

  // About what the members of a line have, besides its URL.
  static constexpr size_t kMembersSize = 250;

  const CaptureStore& store_;
  store::SortedStore::Cursor rows_;
  Capture capture_;
  std::pair<uint64_t, std::string> file_;  // that of the last row
  std::string head_;                       // empty at the end
  mutable std::string line_;               // empty until it is asked for
};

Result<std::shared_ptr<CaptureStore>> CaptureStore::open(const std::string& path, const CaptureStoreOptions& options) {
  TRY(auto store, store::SortedStore::open(path, kFamilies, options.store));
  TRY(url::KeyPolicy policy, policy_of(*store, path, options.key_policy));
  return std::shared_ptr<CaptureStore>(new CaptureStore(std::move(store), std::move(policy)));
}

Result<std::unique_ptr<LineCursor>> CaptureStore::seek(std::string_view key) {
  auto cursor = std::make_unique<Cursor>(*this);
  TRY_VOID(cursor->stand_at(key));
  return cursor;
}

Result<Capture> CaptureStore::parse(std::string_view line) const { return parse_line(line); }

// No line is written and read again: nearly all of a long answer would be that.
Result<Capture> CaptureStore::capture_at(const LineCursor& cursor) const {
  return static_cast<const Cursor&>(cursor).capture();
}

std::string CaptureStore::resolved(std::string key) const {
  for (int steps = 0; steps < kMostAliases; ++steps) {
    std::string target = alias_of(key);
    if (target.empty()) break;
    key = std::move(target);
  }
  return key;
}

std::string CaptureStore::alias_of(const std::string& key) const {
  const auto target = store_->get(kAliases, key);
  return target && *target ? **target : std::string();
}

Result<std::vector<KeyAlias>> CaptureStore::aliases(std::string_view key, size_t limit) const {
  std::vector<KeyAlias> found;
  auto rows = store_->cursor(kAliases);
  for (rows.seek(key); rows.valid() && found.size() < limit; rows.next())
    found.push_back({std::string(rows.key()), std::string(rows.value())});
  TRY_VOID(rows.status());
  return found;
}

uint64_t CaptureStore::estimated_captures() const { return store_->estimated_rows(kCaptures); }

Result<std::string> CaptureStore::file_name(uint64_t number) const {
  if (number == 0) return std::string();
  {
    const std::shared_lock lock(names_mutex_);
    if (const auto known = names_.find(number); known != names_.end()) return known->second;
  }
  TRY(auto name, store_->get(kFiles, 'i' + number_bytes(number)));
  if (!name) return fail(ErrorCode::corrupt, "a capture lies in a file whose name the index does not have");
  const std::unique_lock lock(names_mutex_);
  if (names_.size() >= kKnownFiles) names_.clear();
  names_.emplace(number, *name);
  return *std::move(name);
}

// ---- writing

Result<uint64_t> CaptureStore::next_file_number() const {
  auto rows = store_->cursor(kFiles);
  rows.seek_before("j");
  TRY_VOID(rows.status());
  return rows.valid() && rows.key().starts_with('i') ? number_of(rows.key().substr(1)) + 1 : 1;
}

Result<uint64_t> CaptureStore::file_number(const std::string& name, store::Batch& batch) {
  if (name.empty()) return 0;
  if (const auto known = numbers_.find(name); known != numbers_.end()) return known->second;
  if (numbers_.size() >= kKnownFiles) numbers_.clear();
  TRY(const auto stored, store_->get(kFiles, 'n' + name));
  uint64_t number = 0;
  if (stored) {
    number = number_of(*stored);
  } else {
    if (next_number_ == 0) {
      TRY(next_number_, next_file_number());
    }
    number = next_number_++;
    batch.put(kFiles, 'n' + name, number_bytes(number));
    batch.put(kFiles, 'i' + number_bytes(number), name);
  }
  numbers_.emplace(name, number);
  return number;
}

void CaptureStore::forget_numbers() {
  numbers_.clear();
  next_number_ = 0;
}

Result<void> CaptureStore::apply(std::string_view change, uint64_t next) {
  const std::scoped_lock lock(writing_);
  forget_numbers();
  store::Batch followed;
  followed.put(kAbout, kFollowedRow, number_bytes(next));
  return store_->apply(change, followed);
}

Result<uint64_t> CaptureStore::followed() const {
  TRY(const auto number, store_->get(kAbout, kFollowedRow));
  if (number) return number_of(*number);
  // A checkpoint of another index has its numbers.
  return estimated_captures() > 0 ? store_->sequence() + 1 : 0;
}

Result<void> CaptureWriter::put(Capture capture) {
  TRY_VOID(check_row(capture));
  bytes_ += size_of(capture);
  captures_.push_back({std::move(capture), false});
  return {};
}

Result<void> CaptureWriter::erase(Capture capture) {
  TRY_VOID(check_row(capture));
  bytes_ += size_of(capture);
  captures_.push_back({std::move(capture), true});
  return {};
}

Result<void> CaptureWriter::put_alias(KeyAlias alias) {
  for (const std::string* const key : {&alias.alias, &alias.target}) {
    Capture capture;
    capture.urlkey = *key;
    capture.timestamp = "0000";
    TRY_VOID(check_row(capture));
  }
  bytes_ += alias.alias.size() + alias.target.size() + sizeof(AliasChange);
  if (alias.alias != alias.target) aliases_.push_back({std::move(alias), false});
  return {};
}

void CaptureWriter::erase_alias(std::string alias) {
  bytes_ += alias.size() + sizeof(AliasChange);
  aliases_.push_back({{std::move(alias), {}}, true});
}

// As CaptureStore::resolved, once what is held has become true.
std::string CaptureWriter::resolved(std::string key) const {
  for (int steps = 0; steps < kMostAliases; ++steps) {
    const auto changed = std::ranges::find(aliases_.rbegin(), aliases_.rend(), key,
                                           [](const AliasChange& change) { return change.alias.alias; });
    std::string next = changed == aliases_.rend() ? store_.alias_of(key) : changed->alias.target;
    if (next.empty()) break;
    key = std::move(next);
  }
  return key;
}

Result<void> CaptureWriter::stage_captures(store::Batch& batch) {
  auto aliases = store_.store_->cursor(kAliases);
  aliases.seek({});
  const bool has_aliases = aliases.valid() || !aliases_.empty();
  std::string key, value;
  for (CaptureChange& change : captures_) {
    Capture& capture = change.capture;
    if (has_aliases) capture.urlkey = resolved(std::move(capture.urlkey));
    RowFiles files;
    TRY(files.file, store_.file_number(capture.filename, batch));
    TRY(files.original, store_.file_number(capture.original_filename, batch));
    key.clear();
    append_row_key(key, capture, files);
    if (change.is_erasure) {
      batch.erase(kCaptures, key);
      continue;
    }
    value.clear();
    append_row_value(value, capture, files);
    batch.put(kCaptures, key, value);
  }
  return {};
}

// Captures that stand under the alias move, so that a query of either finds all.
Result<void> CaptureWriter::move_captures(const KeyAlias& alias, store::Batch& batch) {
  const std::string prefix = alias.alias + ' ';
  auto rows = store_.store_->cursor(kCaptures);
  uint64_t moved = 0;
  for (rows.seek(prefix); rows.valid() && rows.key().starts_with(prefix); rows.next()) {
    if (++moved > kMostMoved) return fail(ErrorCode::limit, "an alias of a URL with more than a million captures");
    Capture capture;
    TRY(const RowFiles files, decode_row(rows.key(), rows.value(), capture));
    batch.erase(kCaptures, rows.key());
    capture.urlkey = alias.target;
    std::string key, value;
    append_row_key(key, capture, files);
    append_row_value(value, capture, files);
    batch.put(kCaptures, key, value);
  }
  return rows.status();
}

Result<void> CaptureWriter::stage_alias(const AliasChange& change, store::Batch& batch) {
  if (change.is_erasure) {
    batch.erase(kAliases, change.alias.alias);
    return {};
  }
  batch.put(kAliases, change.alias.alias, change.alias.target);
  return move_captures({change.alias.alias, resolved(change.alias.target)}, batch);
}

Result<void> CaptureWriter::commit() {
  if (changes() == 0) return {};
  const std::scoped_lock lock(store_.writing_);
  const auto written = [&]() -> Result<void> {
    store::Batch batch;
    for (const AliasChange& change : aliases_) TRY_VOID(stage_alias(change, batch));
    TRY_VOID(stage_captures(batch));
    return store_.store_->write(batch, store::Durability::synced);
  }();
  if (!written) store_.forget_numbers();
  abandon();
  return written;
}

void CaptureWriter::abandon() {
  captures_.clear();
  aliases_.clear();
  bytes_ = 0;
}

}  // namespace caddis::cdx
