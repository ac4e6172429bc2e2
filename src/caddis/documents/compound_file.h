// A compound file ([MS-CFB], "OLE"): the storages and streams of Office 97 to 2003. Internal to documents.
//
// Borrows its bytes. Chains of sectors that are endless, cut or point nowhere end where they do; a stream has so many
// bytes as could be had.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/documents/document.h"

namespace caddis::documents {

class CompoundFile {
 public:
  struct Entry {
    std::string name;        // in UTF-8
    bool is_stream = false;  // or else a storage
    uint32_t first = 0;      // sector
    uint64_t size = 0;
    uint32_t storage = 0;  // it lies in: the place of that in `entries`; a lost one is taken for the root's
  };

  // ErrorCode::parse if it is none.
  static Result<CompoundFile> open(std::string_view bytes, const Limits& limits);

  // The first stream of that name in that storage; null if there is none.
  const Entry* find(std::string_view name, uint32_t storage) const;
  // In the order of the directory. The first is the root; those that are not in use have no name.
  const std::vector<Entry>& entries() const { return entries_; }
  // At most `most` bytes.
  std::string read(const Entry& stream, uint64_t most) const;

 private:
  explicit CompoundFile(std::string_view bytes) : bytes_(bytes) {}
  std::string_view sector(uint32_t number) const;
  void read_table();
  void read_directory(const Limits& limits);
  void find_storages(std::string_view directory);
  std::string read_chain(uint32_t first, uint64_t size) const;
  std::string read_small(const Entry& stream, uint64_t size) const;

  std::string_view bytes_;
  unsigned shift_ = 9, small_shift_ = 6;  // sizes of sectors, as powers of two
  uint32_t small_below_ = 4096;           // streams of fewer bytes lie in small sectors
  std::vector<uint32_t> next_;            // of each sector
  std::vector<uint32_t> small_next_;
  std::string small_;  // the sectors of small streams
  std::vector<Entry> entries_;
};

}  // namespace caddis::documents
