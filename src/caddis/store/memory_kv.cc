#include "caddis/store/memory_kv.h"

#include <map>
#include <mutex>
#include <utility>

#include "caddis/base/strings.h"

namespace caddis::store {

namespace {
using Rows = std::map<std::string, std::string, std::less<>>;
}

struct MemoryKvDisk::State {
  // What a lazy batch replaced, to be put back in reverse order.
  struct Undo {
    std::string family;
    std::string key;
    std::optional<std::string> value;
  };

  // The rows for writing: a copy of its own where a cursor still looks at them.
  Rows& writable(const std::string& family) {
    std::shared_ptr<Rows>& rows = families[family];
    if (rows.use_count() > 1) rows = std::make_shared<Rows>(*rows);
    return *rows;
  }

  std::mutex mutex;
  std::map<std::string, std::shared_ptr<Rows>> families;
  std::vector<std::vector<Undo>> lazy;  // one for each batch since the last synced one
  uint64_t epoch = 0;                   // counts the power cuts
  bool is_open = false;
  Gate gate;
  io::Files* files = nullptr;
};

namespace {

class MemoryCursor : public Cursor {
 public:
  explicit MemoryCursor(std::shared_ptr<const Rows> rows) : rows_(std::move(rows)), at_(rows_->end()) {}
  void seek(std::string_view key) override { at_ = rows_->lower_bound(key); }
  bool valid() const override { return at_ != rows_->end(); }
  void next() override { ++at_; }
  std::string_view key() const override { return at_->first; }
  std::string_view value() const override { return at_->second; }

 private:
  std::shared_ptr<const Rows> rows_;
  Rows::const_iterator at_;
};

// A checkpoint: the rows of all families, each text with its length before it.
void put_text(std::string& out, std::string_view text) {
  out += std::to_string(text.size());
  out += ' ';
  out += text;
}

std::string to_rows(const std::map<std::string, std::shared_ptr<Rows>>& families) {
  std::string out;
  for (const auto& [family, rows] : families)
    for (const auto& [key, value] : *rows)
      for (const std::string_view text : {std::string_view(family), std::string_view(key), std::string_view(value)})
        put_text(out, text);
  return out;
}

Result<std::string> take_text(std::string_view& bytes) {
  const size_t blank = bytes.find(' ');
  const auto size = parse_int(bytes.substr(0, blank));
  if (blank == std::string_view::npos || !size || *size < 0 || static_cast<size_t>(*size) > bytes.size() - blank - 1)
    return fail(ErrorCode::corrupt, "these are no rows of a store in memory");
  std::string text(bytes.substr(blank + 1, static_cast<size_t>(*size)));
  bytes.remove_prefix(blank + 1 + text.size());
  return text;
}

// After a power cut: there is nothing to see, and the reason.
class DeadCursor : public Cursor {
 public:
  void seek(std::string_view) override {}
  bool valid() const override { return false; }
  void next() override {}
  std::string_view key() const override { return {}; }
  std::string_view value() const override { return {}; }
  Result<void> status() const override { return fail(ErrorCode::closed, "the store was open when the power went"); }
};

}  // namespace

class MemoryKv : public Kv {
 public:
  using State = MemoryKvDisk::State;

  MemoryKv(std::shared_ptr<State> state, std::vector<std::string> families)
      : state_(std::move(state)), families_(std::move(families)), epoch_(state_->epoch) {}

  ~MemoryKv() override {
    const std::lock_guard lock(state_->mutex);
    if (epoch_ == state_->epoch) state_->is_open = false;
  }

  Result<std::optional<std::string>> get(Family family, std::string_view key) override {
    const std::lock_guard lock(state_->mutex);
    TRY_VOID(check_power());
    const Rows& rows = *state_->families.at(families_.at(family));
    const auto found = rows.find(key);
    return found == rows.end() ? std::nullopt : std::optional(found->second);
  }

  Result<void> write(const Batch& batch, Durability durability) override {
    const std::lock_guard lock(state_->mutex);
    TRY_VOID(check_power());
    if (state_->gate) TRY_VOID(state_->gate(batch, durability));
    std::vector<State::Undo> undo;
    for (const Batch::Change change : batch.changes()) apply(change, durability == Durability::lazy ? &undo : nullptr);
    if (durability == Durability::synced)
      state_->lazy.clear();
    else
      state_->lazy.push_back(std::move(undo));
    return {};
  }

  std::unique_ptr<Cursor> cursor(Family family) override {
    const std::lock_guard lock(state_->mutex);
    if (!check_power()) return std::make_unique<DeadCursor>();
    return std::make_unique<MemoryCursor>(state_->families.at(families_.at(family)));
  }

  Result<void> checkpoint(const std::string& folder) override {
    std::string rows;
    io::Files* files = nullptr;
    {
      const std::lock_guard lock(state_->mutex);
      TRY_VOID(check_power());
      rows = to_rows(state_->families);
      files = state_->files;
    }
    if (files == nullptr) return fail(ErrorCode::unsupported, "this store in memory has no folder for checkpoints");
    if (files->exists(folder)) return fail(ErrorCode::conflict, folder + " is there already");
    TRY_VOID(files->make_dirs(folder));
    return files->write_atomically(io::join_path(folder, "rows"), rows);
  }

 private:
  Result<void> check_power() const {
    if (epoch_ == state_->epoch) return {};
    return fail(ErrorCode::closed, "the store was open when the power went");
  }

  void apply(const Batch::Change& change, std::vector<State::Undo>* undo) {
    const std::string& family = families_.at(change.family);
    Rows& rows = state_->writable(family);
    const auto found = rows.find(change.key);
    if (undo) {
      undo->push_back(
          {family, std::string(change.key), found == rows.end() ? std::nullopt : std::optional(found->second)});
    }
    if (!change.is_delete)
      rows.insert_or_assign(std::string(change.key), std::string(change.value));
    else if (found != rows.end())
      rows.erase(found);
  }

  std::shared_ptr<State> state_;
  std::vector<std::string> families_;
  uint64_t epoch_;
};

MemoryKvDisk::MemoryKvDisk() : state_(std::make_shared<State>()) {}
MemoryKvDisk::~MemoryKvDisk() = default;

Result<std::unique_ptr<Kv>> MemoryKvDisk::open(const std::vector<std::string>& families) {
  const std::lock_guard lock(state_->mutex);
  if (state_->is_open) return fail(ErrorCode::conflict, "the store is open already: another caddis is using it");
  for (const std::string& family : families) {
    std::shared_ptr<Rows>& rows = state_->families[family];
    if (!rows) rows = std::make_shared<Rows>();
  }
  state_->is_open = true;
  return std::make_unique<MemoryKv>(state_, families);
}

KvOpener MemoryKvDisk::opener() {
  return [this](const std::string&, const std::vector<std::string>& families) { return open(families); };
}

void MemoryKvDisk::save_to(io::Files& files) {
  const std::lock_guard lock(state_->mutex);
  state_->files = &files;
}

Result<void> MemoryKvDisk::load(std::string_view rows) {
  std::map<std::string, std::shared_ptr<Rows>> families;
  while (!rows.empty()) {
    TRY(const std::string family, take_text(rows));
    TRY(std::string key, take_text(rows));
    TRY(std::string value, take_text(rows));
    std::shared_ptr<Rows>& of_family = families[family];
    if (!of_family) of_family = std::make_shared<Rows>();
    of_family->insert_or_assign(std::move(key), std::move(value));
  }
  const std::lock_guard lock(state_->mutex);
  if (state_->is_open) return fail(ErrorCode::conflict, "the store is open: nothing can be loaded into it");
  state_->families = std::move(families);
  state_->lazy.clear();
  return {};
}

void MemoryKvDisk::crash(Random& random) {
  const std::lock_guard lock(state_->mutex);
  const uint64_t kept = random.below(state_->lazy.size() + 1);
  while (state_->lazy.size() > kept) {
    auto& undo = state_->lazy.back();
    for (auto change = undo.rbegin(); change != undo.rend(); ++change) {
      Rows& rows = state_->writable(change->family);
      if (change->value)
        rows.insert_or_assign(std::move(change->key), std::move(*change->value));
      else
        rows.erase(change->key);
    }
    state_->lazy.pop_back();
  }
  state_->lazy.clear();
  state_->is_open = false;
  ++state_->epoch;
}

void MemoryKvDisk::set_gate(Gate gate) {
  const std::lock_guard lock(state_->mutex);
  state_->gate = std::move(gate);
}

std::unique_ptr<Kv> memory_kv(const std::vector<std::string>& families) {
  MemoryKvDisk disk;
  return std::move(*disk.open(families));
}

}  // namespace caddis::store
