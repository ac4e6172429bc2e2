#include "caddis/wacz/package.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/io/zip_reader.h"

namespace caddis::wacz {
namespace {

// A file that can only be read.
class ReadOnlyFile : public io::File {
 public:
  Result<void> append(std::string_view) final { return refuse(); }
  Result<void> sync() final { return refuse(); }
  Result<void> truncate(uint64_t) final { return refuse(); }

 private:
  static Result<void> refuse() { return fail(ErrorCode::denied, "what is in a package can only be read"); }
};

// A part of the package, which it keeps open.
class StoredEntry final : public ReadOnlyFile {
 public:
  StoredEntry(std::shared_ptr<const Package> package, const io::File& file, uint64_t begin, uint64_t size)
      : package_(std::move(package)), file_(file), begin_(begin), size_(size) {}
  Result<size_t> read_at(uint64_t offset, char* buffer, size_t size) const override {
    if (offset >= size_) return size_t{0};
    return file_.read_at(begin_ + offset, buffer, std::min<uint64_t>(size, size_ - offset));
  }
  Result<bool> read_at_once(uint64_t offset, char* buffer, size_t size) const override {
    if (offset > size_ || size > size_ - offset) return false;
    return file_.read_at_once(begin_ + offset, buffer, size);
  }
  Result<uint64_t> size() const override { return size_; }

 private:
  const std::shared_ptr<const Package> package_;
  const io::File& file_;
  const uint64_t begin_, size_;
};

class BytesFile final : public ReadOnlyFile {
 public:
  explicit BytesFile(std::string bytes) : bytes_(std::move(bytes)) {}
  Result<size_t> read_at(uint64_t offset, char* buffer, size_t size) const override {
    if (offset >= bytes_.size()) return size_t{0};
    const size_t got = std::min<uint64_t>(size, bytes_.size() - offset);
    std::memcpy(buffer, bytes_.data() + offset, got);
    return got;
  }
  Result<uint64_t> size() const override { return bytes_.size(); }

 private:
  const std::string bytes_;
};

}  // namespace

std::unique_ptr<io::File> file_of_bytes(std::string bytes) { return std::make_unique<BytesFile>(std::move(bytes)); }

bool is_package_name(std::string_view name) { return name.ends_with(".wacz"); }

Result<std::shared_ptr<const Package>> Package::open(io::Files& files, const std::string& path) {
  TRY(auto file, files.open_read(path));
  auto entries = read_zip_directory(*file);
  if (!entries) return pass(std::move(entries).error(), path);
  return std::shared_ptr<const Package>(new Package(std::move(file), *std::move(entries)));
}

const PackedFile* Package::find(std::string_view name) const {
  const auto found = std::ranges::find(entries_, name, &PackedFile::name);
  return found == entries_.end() ? nullptr : &*found;
}

Result<std::string> Package::unpack(const PackedFile& entry, uint64_t most) const {
  TRY(const auto zip, io::ZipReader::open(*file_));
  std::string bytes;
  TRY_VOID(zip.read(entry.number, most, [&](std::string_view piece) -> Result<void> {
    bytes += piece;
    return {};
  }));
  return bytes;
}

Result<std::unique_ptr<io::File>> Package::open_entry(const PackedFile& entry) const {
  if (entry.is_stored()) {
    TRY(const uint64_t begin, data_offset(*file_, entry));
    return std::make_unique<StoredEntry>(shared_from_this(), *file_, begin, entry.size);
  }
  if (entry.name.starts_with("archive/"))
    return fail(ErrorCode::unsupported,
                entry.name +
                    " is compressed inside the package, which the format does not allow; unpack "
                    "it ('caddis wacz extract') and serve the folder");
  TRY(std::string bytes, unpack(entry, kLargestUnpacked));
  return file_of_bytes(std::move(bytes));
}

Result<std::string> Package::read(std::string_view name, uint64_t most) const {
  const PackedFile* const entry = find(name);
  if (entry == nullptr) return fail(ErrorCode::not_found, std::string(name) + " is not in the package");
  if (entry->size > most) return fail(ErrorCode::limit, std::string(name) + " is too large");
  if (!entry->is_stored()) return unpack(*entry, most);
  TRY(const auto file, open_entry(*entry));
  std::string bytes(entry->size, '\0');
  TRY(const size_t got, file->read_at(0, bytes.data(), bytes.size()));
  if (got != bytes.size()) return fail(ErrorCode::corrupt, std::string(name) + " is cut");
  return bytes;
}

}  // namespace caddis::wacz
