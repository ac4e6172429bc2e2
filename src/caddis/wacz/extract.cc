#include "caddis/wacz/extract.h"

#include <utility>

#include "caddis/collection/layout.h"
#include "caddis/collection/metadata.h"
#include "caddis/io/checksum.h"
#include "caddis/wacz/datapackage.h"
#include "caddis/wacz/package.h"
#include "caddis/wacz/packed_index.h"

namespace caddis::wacz {
namespace {

constexpr size_t kPiece = 1 << 20;

struct Copied {
  uint64_t bytes = 0;
  uint32_t crc = 0;
};

Result<Copied> copy(io::Files& files, const io::File& from, const std::string& to) {
  TRY_VOID(files.make_dirs(io::parent_path(to)));
  TRY(const auto out, files.open_append(to));
  Copied copied;
  std::string piece(kPiece, '\0');
  for (;;) {
    TRY(const size_t got, from.read_at(copied.bytes, piece.data(), piece.size()));
    if (got == 0) break;
    const std::string_view bytes = std::string_view(piece).substr(0, got);
    TRY_VOID(out->append(bytes));
    copied.crc = io::crc32(bytes, copied.crc);
    copied.bytes += got;
  }
  TRY_VOID(out->sync());
  return copied;
}

// A package need not say what it is, and may say it in a way that no collection can: datapackage.json has it all the same.
Result<void> write_words(io::Files& files, const Package& package, const collection::Layout& layout) {
  const auto text = package.read(kDataPackage, kLargestDescription);
  if (!text) return {};
  const auto told = parse_datapackage(*text);
  if (!told || (told->title.empty() && told->description.empty())) return {};
  const auto changed =
      collection::change_metadata(files, layout, {{"title", told->title}, {"description", told->description}});
  if (changed || changed.error().code == ErrorCode::config) return {};
  return changed;
}

}  // namespace

Result<ExtractReport> extract_package(io::Files& files, const std::string& path, const std::string& folder) {
  TRY(const auto package, Package::open(files, path));
  if (files.exists(folder)) {
    if (!files.is_directory(folder)) return fail(ErrorCode::conflict, folder + " is no folder");
    TRY(const auto entries, files.list(folder));
    if (!entries.empty()) return fail(ErrorCode::conflict, folder + " has something in it: name another folder");
  }
  ExtractReport report;
  for (const PackedFile& entry : package->entries()) {
    TRY(auto file, package->open_entry(entry));
    TRY(const Copied copied, copy(files, *file, io::join_path(folder, entry.name)));
    if (copied.crc != entry.crc || copied.bytes != entry.size)
      return fail(ErrorCode::corrupt, path + ": " + entry.name + " is damaged (its checksum does not hold)");
    report.bytes += copied.bytes;
    ++report.files;
  }
  if (const PackedFile* const index = package->find(kIndex); index != nullptr) {
    TRY(auto packed, package->open_entry(*index));
    TRY(const auto text, open_packed_index(std::move(packed)));
    TRY_VOID(copy(files, *text, io::join_path(folder, "indexes/index.cdxj")));
  }
  TRY_VOID(write_words(files, *package, collection::Layout(folder)));
  return report;
}

}  // namespace caddis::wacz
