#include "caddis/store/rocks_parts.h"

#include <rocksdb/db.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <system_error>

#include "caddis/base/check.h"
#include "caddis/base/log.h"
#include "caddis/base/strings.h"

namespace caddis::store {
namespace {

class OperatorLog : public rocksdb::Logger {
 public:
  OperatorLog() : Logger(rocksdb::InfoLogLevel::WARN_LEVEL) {}
  using Logger::Logv;
  void Logv(const rocksdb::InfoLogLevel level, const char* format, va_list arguments) override {
    if (level < GetInfoLogLevel() || level > rocksdb::InfoLogLevel::FATAL_LEVEL) return;
    std::array<char, 1000> text{};
    std::vsnprintf(text.data(), text.size(), format, arguments);
    const std::string_view said = trim(text.data());
    // A full disk is told by whoever writes, once and in our words; the manager of table files waits for room.
    const bool is_told = said.contains("No space left") || said.contains("sst_file_manager");
    if (level == rocksdb::InfoLogLevel::WARN_LEVEL || is_told)
      log_info("store", "{}", said);
    else
      log_warn("store", "{}", said);
  }
};

std::vector<size_t> sorted(const Batch& batch) {
  struct Place {
    Family family;
    uint64_t first;  // bytes of the key, as a number
    size_t index;
  };
  std::vector<Place> places;
  places.reserve(batch.size());
  for (size_t index = 0; index < batch.size(); ++index) {
    const Batch::Change change = batch.change(index);
    uint64_t first = 0;
    for (size_t i = 0; i < sizeof first; ++i)
      first = (first << 8) | (i < change.key.size() ? static_cast<uint8_t>(change.key[i]) : 0);
    places.push_back({change.family, first, index});
  }
  std::ranges::sort(places, [&](const Place& a, const Place& b) {
    if (a.family != b.family) return a.family < b.family;
    if (a.first != b.first) return a.first < b.first;
    const int order = batch.change(a.index).key.compare(batch.change(b.index).key);
    return order != 0 ? order < 0 : a.index < b.index;
  });
  std::vector<size_t> order;
  order.reserve(places.size());
  for (const Place& place : places) order.push_back(place.index);
  return order;
}

}  // namespace

std::unexpected<Error> fail_status(const rocksdb::Status& status, const std::string& path) {
  const std::string text = status.ToString();
  if (status.IsNoSpace())
    return fail(ErrorCode::no_space, path + ": the disk is full: make room, then go on (" + text + ")");
  if (status.IsIOError() && contains_ignore_case(text, std::generic_category().message(EFBIG)))
    return fail(ErrorCode::limit, path +
                                      ": this process may not make files as large as it needs: raise the limit "
                                      "(ulimit -f), then go on (" +
                                      text + ")");
  if (status.IsIOError() && contains_ignore_case(text, "lock")) {
    return fail(ErrorCode::conflict, path + ": another caddis is using it; stop that one first (" + text + ")");
  }
  if (status.IsCorruption()) {
    return fail(ErrorCode::corrupt, path + ": the store is damaged: " + text +
                                        "; go back to the last checkpoint, or copy the folder and repair the copy with "
                                        "`ldb repair` of RocksDB");
  }
  return fail(ErrorCode::io, path + ": " + text);
}

std::shared_ptr<rocksdb::Logger> operator_log() { return std::make_shared<OperatorLog>(); }

Result<rocksdb::WriteBatch> write_batch(const Batch& batch, const std::vector<rocksdb::ColumnFamilyHandle*>& families,
                                        const std::string& path) {
  constexpr size_t kRowOverhead = 12;
  rocksdb::WriteBatch rows(batch.bytes() + kRowOverhead * batch.size());
  for (const size_t index : sorted(batch)) {
    const Batch::Change change = batch.change(index);
    CADDIS_CHECK(change.family < families.size());
    rocksdb::ColumnFamilyHandle* const family = families[change.family];
    const rocksdb::Status status = change.is_delete ? rows.Delete(family, slice(change.key))
                                                    : rows.Put(family, slice(change.key), slice(change.value));
    if (!status.ok()) return fail_status(status, path);
  }
  return rows;
}

std::vector<std::string> all_families(const rocksdb::DBOptions& options, const std::string& path,
                                      const std::vector<std::string>& named) {
  std::vector<std::string> all = named;
  std::vector<std::string> stored;
  if (!rocksdb::DB::ListColumnFamilies(options, path, &stored).ok()) stored.clear();  // a new store, or Open tells why
  stored.push_back(rocksdb::kDefaultColumnFamilyName);
  for (const std::string& name : stored) {
    if (std::ranges::find(all, name) == all.end()) all.push_back(name);
  }
  return all;
}

}  // namespace caddis::store
