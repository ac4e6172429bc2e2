#include "caddis/documents/zip_package.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "caddis/io/zip_reader.h"

namespace caddis::documents {
namespace {

constexpr uint64_t kLargestPart = 64u << 20;

// The part, or nothing if it cannot be had.
std::string unpack(const io::ZipReader& zip, uint64_t number, uint64_t most, LinkCollector& links,
                   std::string_view name) {
  std::string part;
  const auto read = zip.read(number, most, [&part](std::string_view piece) -> Result<void> {
    part += piece;
    return {};
  });
  if (!read) links.set_problem(fmt::format("{}: {}", name, read.error().message));
  return part;
}

}  // namespace

void each_part(std::string_view archive, const Limits& limits, LinkCollector& links,
               const std::function<bool(std::string_view name)>& wants,
               const std::function<void(std::string_view name, std::string_view part)>& read) {
  const auto zip = io::ZipReader::open(archive);
  if (!zip) return links.set_problem(zip.error().message);
  if (zip->entries() > limits.entries)
    links.set_problem(fmt::format("it has {} entries, and {} are read", zip->entries(), limits.entries));
  for (uint64_t number = 0; number < std::min<uint64_t>(zip->entries(), limits.entries); ++number) {
    const auto entry = zip->entry(number);
    if (!entry || entry->is_folder || !wants(entry->name)) continue;
    if (entry->is_encrypted) {
      links.set_problem(entry->name + " is encrypted");
      continue;
    }
    const std::string part = unpack(*zip, number, std::min(links.unpacked_left(), kLargestPart), links, entry->name);
    links.take_unpacked(part.size());
    read(entry->name, part);
  }
}

}  // namespace caddis::documents
