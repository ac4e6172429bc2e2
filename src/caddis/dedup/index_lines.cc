#include "caddis/dedup/index_lines.h"

#include <vector>

#include "caddis/cdx/line.h"
#include "caddis/collection/layout.h"
#include "caddis/io/text_lines.h"

namespace caddis::dedup {

Result<void> each_capture(io::Files& files, const std::string& collection,
                          const std::function<Result<void>(const cdx::Capture& capture)>& use) {
  const std::string folder = collection::Layout(collection).indexes();
  if (!files.is_directory(folder))
    return fail(
        ErrorCode::not_found,
        collection + ": no indexes in this folder; make one with caddis index add ARCHIVE… --collection " + collection);
  TRY(const auto entries, files.list(folder));
  for (const auto& entry : entries) {
    if (entry.is_directory || !collection::is_index_name(entry.name)) continue;
    TRY(const auto lines, io::TextLines::open(files, io::join_path(folder, entry.name)));
    for (;;) {
      TRY(const auto line, lines->next());
      if (!line) break;
      if (const auto capture = cdx::parse_line(*line)) TRY_VOID(use(*capture));
    }
  }
  return {};
}

}  // namespace caddis::dedup
