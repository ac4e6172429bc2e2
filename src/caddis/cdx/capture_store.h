// An index of captures in a store (store/sorted_store.h) that takes lines while it is asked: rows of packed_row.h, names
// of files, aliases of URLs, and by which policy the keys are made. docs/formats/capture-store.md has the bytes.
//
//   TRY(auto store, CaptureStore::open(path, CaptureStoreOptions()));
//   CaptureWriter writer(*store);
//   TRY_VOID(writer.put(capture)); …
//   TRY_VOID(writer.commit());                       // all of it at once, and for good
//   index.add_source(store);                         // asked like any file of lines
//
// Any thread; writers wait for each other when they commit. A cursor sees the store as it was when it was made.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/cdx/capture.h"
#include "caddis/cdx/line_source.h"
#include "caddis/cdx/packed_row.h"
#include "caddis/store/sorted_store.h"
#include "caddis/url/key_policy.h"

namespace caddis::cdx {

struct CaptureStoreOptions {
  std::string key_policy;  // in its notation, for a store that is made; empty: ia-surt. One that is there has its own
  store::SortedStoreOptions store;
};

// A URL whose captures are those of another; both as keys.
struct KeyAlias {
  std::string alias, target;
};

class CaptureStore : public LineSource {
 public:
  // ErrorCode::conflict if another policy is asked for than the store has, or another process has it open.
  static Result<std::shared_ptr<CaptureStore>> open(const std::string& path, const CaptureStoreOptions& options = {});

  Result<std::unique_ptr<LineCursor>> seek(std::string_view key) override;
  Result<Capture> parse(std::string_view line) const override;
  Result<Capture> capture_at(const LineCursor& cursor) const override;
  const url::KeyPolicy& policy() const override { return policy_; }
  // The key that has the captures of that one: the target of its alias, if it is one.
  std::string resolved(std::string key) const override;

  // Aliases at or after `key`, at most `limit`.
  Result<std::vector<KeyAlias>> aliases(std::string_view key, size_t limit) const;
  uint64_t estimated_captures() const;
  store::SortedStore& store() { return *store_; }
  // Does what another store of this kind has done (store::SortedStore::changes). `next`: the number of that store's
  // next change.
  Result<void> apply(std::string_view change, uint64_t next);
  // That number, 0 if nothing was applied.
  Result<uint64_t> followed() const;

 private:
  friend class CaptureWriter;
  class Cursor;
  CaptureStore(std::unique_ptr<store::SortedStore> store, url::KeyPolicy policy)
      : store_(std::move(store)), policy_(std::move(policy)) {}

  std::string alias_of(const std::string& key) const;  // empty: it is none
  Result<std::string> file_name(uint64_t number) const;
  // The number of that name, a new one if it has none; its rows go into the batch. With writing_ held.
  Result<uint64_t> file_number(const std::string& name, store::Batch& batch);
  Result<uint64_t> next_file_number() const;
  void forget_numbers();

  const std::unique_ptr<store::SortedStore> store_;
  const url::KeyPolicy policy_;
  std::mutex writing_;
  std::unordered_map<std::string, uint64_t> numbers_;  // of files that were written lately; with writing_ held
  uint64_t next_number_ = 0;                           // 0: not known; with writing_ held
  mutable std::shared_mutex names_mutex_;
  mutable std::unordered_map<uint64_t, std::string> names_;
};

// Changes that become true together. They are held until then: a client commits now and then.
class CaptureWriter {
 public:
  explicit CaptureWriter(CaptureStore& store) : store_(store) {}

  // The capture's key, and no other, says what it is a capture of. ErrorCode::parse, limit as check_row.
  Result<void> put(Capture capture);
  // The capture with its key, time and place; one that is not there is no error.
  Result<void> erase(Capture capture);
  // Captures that the alias has already become those of the target.
  Result<void> put_alias(KeyAlias alias);
  void erase_alias(std::string alias);

  size_t changes() const { return captures_.size() + aliases_.size(); }
  // The size of all that is held.
  size_t bytes() const { return bytes_; }
  Result<void> commit();
  void abandon();

 private:
  struct CaptureChange {
    Capture capture;
    bool is_erasure;
  };
  struct AliasChange {
    KeyAlias alias;
    bool is_erasure;
  };
  std::string resolved(std::string key) const;
  Result<void> stage_captures(store::Batch& batch);
  Result<void> stage_alias(const AliasChange& change, store::Batch& batch);
  Result<void> move_captures(const KeyAlias& alias, store::Batch& batch);

  CaptureStore& store_;
  std::vector<CaptureChange> captures_;
  std::vector<AliasChange> aliases_;
  size_t bytes_ = 0;
};

}  // namespace caddis::cdx
