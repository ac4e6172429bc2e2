// A file that is not what it should be is moved to damaged/, never removed: people may want to know what became of it.

#include <fmt/format.h>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/collection/layout.h"
#include "caddis/harvestserver/replica.h"
#include "caddis/io/digest.h"

namespace caddis::harvestserver {
namespace {

constexpr size_t kPiece = 1 << 20;

class FolderReplica : public Replica {
 public:
  FolderReplica(const ReplicaWorld& world, const std::string& folder) : world_(world), layout_(folder) {}

  std::string words() const override { return "folder " + layout_.folder(); }

  Result<void> read(const KeptFile& file, uint64_t from, const ByteSink& sink) override {
    const std::string path = path_of(file);
    if (!world_.files.exists(layout_.folder()))
      return fail(ErrorCode::io, fmt::format("the folder {} is not there", layout_.folder()));
    if (!world_.files.exists(path)) return fail(ErrorCode::not_found, fmt::format("{} is not there", path));
    return read_file(path, from, sink);
  }

  Result<void> put(const KeptFile& file, const std::string& from) override {
    // A disk that is not mounted looks like an empty folder: nothing is begun there.
    if (!world_.files.exists(layout_.folder()))
      return fail(ErrorCode::not_found, fmt::format("{} is not there", layout_.folder()));
    const std::string path = path_of(file);
    if (is_right(file, path)) return world_.files.sync_dir(io::parent_path(path));
    const std::string coming = fmt::format("{}/coming/{}", layout_.folder(), file.name);
    TRY_VOID(world_.files.make_dirs(io::parent_path(path)));
    TRY_VOID(world_.files.make_dirs(io::parent_path(coming)));
    if (world_.files.exists(coming)) TRY_VOID(world_.files.remove(coming));
    TRY(const auto out, world_.files.open_append(coming));
    TRY_VOID(read_file(from, 0, [&](std::string_view bytes) { return out->append(bytes); }));
    TRY_VOID(out->sync());
    if (world_.files.exists(path)) TRY_VOID(put_aside(file, path));
    TRY_VOID(world_.files.rename(coming, path));
    return world_.files.sync_dir(io::parent_path(path));
  }

 private:
  std::string path_of(const KeptFile& file) const {
    const bool is_archive = file.kind == "warc" || file.kind == "metadata";
    return fmt::format("{}/{}", is_archive ? layout_.archive() : layout_.indexes(), file.name);
  }

  Result<void> read_file(const std::string& path, uint64_t at, const ByteSink& sink) const {
    TRY(const auto file, world_.files.open_read(path));
    std::string buffer(kPiece, '\0');
    for (;;) {
      TRY(const size_t got, file->read_at(at, buffer.data(), buffer.size()));
      if (got == 0) return {};
      TRY_VOID(sink(std::string_view(buffer).substr(0, got)));
      at += got;
    }
  }

  bool is_right(const KeptFile& file, const std::string& path) const {
    io::Sha256 digest;
    const auto read = read_file(path, 0, [&](std::string_view bytes) -> Result<void> {
      digest.update(bytes);
      return {};
    });
    return read && to_hex(digest.finish()) == file.sha256;
  }

  Result<void> put_aside(const KeptFile& file, const std::string& path) const {
    const std::string aside =
        fmt::format("{}/damaged/{}.{}", layout_.folder(), file.name, timestamp14(world_.clock.wall()));
    TRY_VOID(world_.files.make_dirs(io::parent_path(aside)));
    return world_.files.rename(path, aside);
  }

  const ReplicaWorld world_;
  const collection::Layout layout_;
};

}  // namespace

std::unique_ptr<Replica> folder_replica(const ReplicaWorld& world, const std::string& folder) {
  return std::make_unique<FolderReplica>(world, folder);
}

}  // namespace caddis::harvestserver
