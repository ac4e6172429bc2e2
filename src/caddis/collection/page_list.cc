#include "caddis/collection/page_list.h"

#include "caddis/base/json_text.h"
#include "caddis/collection/launch.h"
#include "caddis/store/streams.h"

namespace caddis::collection {
namespace {

// Copies in pieces, since a list grows with its crawl. A launch that was killed may end in half a line: it is no part
// of the list until the crawl is resumed.
Result<void> append_whole_lines(io::Files& files, const std::string& path, io::File& to) {
  constexpr size_t kPiece = 1u << 20;
  TRY(const auto from, files.open_read(path));
  std::string piece(kPiece, '\0'), half;
  for (uint64_t at = 0;;) {
    TRY(const size_t got, from->read_at(at, piece.data(), piece.size()));
    if (got == 0) return {};
    at += got;
    const std::string_view read = std::string_view(piece).substr(0, got);
    const size_t whole = read.rfind('\n') + 1;
    if (whole > 0) {
      TRY_VOID(to.append(half));
      TRY_VOID(to.append(read.substr(0, whole)));
      half.clear();
    }
    half += read.substr(whole);
  }
}

}  // namespace

Result<void> rebuild_page_list(io::Files& files, const std::string& collection) {
  const Layout layout(collection);
  TRY(const auto all_launches, launch_folders(files, layout));  // recordings have no settings
  const std::string temporary = layout.page_list() + ".tmp";
  TRY_VOID(files.make_dirs(layout.pages()));
  {
    TRY(const auto all, files.open_append(temporary));
    TRY_VOID(all->truncate(0));  // an earlier attempt may have died here
    TRY_VOID(all->append(
        JsonObject().add("format", "json-pages-1.0").add("id", "pages").add("title", "Pages").finish() + "\n"));
    for (const Launch& launch : all_launches) {
      if (!files.is_directory(launch.logs())) continue;
      TRY(const auto parts, store::log_parts(files, launch.pages()));
      for (const std::string& part : parts) TRY_VOID(append_whole_lines(files, part, *all));
    }
    TRY_VOID(all->sync());
  }
  TRY_VOID(files.rename(temporary, layout.page_list()));
  return files.sync_dir(layout.pages());
}

}  // namespace caddis::collection
