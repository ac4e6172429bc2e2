// A digest index from anywhere: nothing crashes, and what opens can be asked and read as a whole. The input stands for
// the file; where its end is no index's, it is taken as what lies between head and end.
#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/dedup/bytes.h"
#include "caddis/dedup/digest_index.h"
#include "caddis/dedup/index_info.h"
#include "caddis/dedup/original_block.h"
#include "caddis/io/checksum.h"
#include "caddis/io/memory_files.h"

namespace {

using namespace caddis;
using namespace caddis::dedup;

void ask(const std::string& bytes) {
  io::MemoryFiles files;
  if (!files.write_atomically("x", bytes)) return;
  const auto index = DigestIndex::open(files, "x");
  if (!index) return;
  for (const Strategy strategy : {Strategy::url, Strategy::canonical, Strategy::url_preferred, Strategy::any})
    (void)(*index)->find(strategy, {"sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "http://a.example/", "example,a)/"});
  const auto use = [](std::string_view, const Original&) { return Result<void>(); };
  (void)(*index)->each(use);
  (void)(*index)->each_of_url("http://a.example/", use);
  (void)(*index)->most_shared(3);
  (void)(*index)->check();
}

// The same bytes with checksums that are right, so that what stands behind them is reached.
void ask_with_checksums(std::string_view bytes) {
  if (bytes.size() < kIndexHeadSize + kIndexTrailerSize) return;
  const auto size = get_number<uint32_t>(bytes.data() + bytes.size() - kIndexTrailerSize);
  if (size > bytes.size() - kIndexHeadSize - kIndexTrailerSize) return;
  const std::string_view body = bytes.substr(0, bytes.size() - kIndexTrailerSize - size);
  auto info = parse_info(bytes.substr(body.size(), size));
  if (!info) return;
  for (Section* const section : {&info->blocks, &info->directory, &info->dictionary, &info->table, &info->buckets})
    if (section->offset <= body.size() && section->size <= body.size() - section->offset)
      section->checksum = io::crc32(body.substr(section->offset, section->size));
  const std::string text = info_text(*info);
  std::string whole = std::string(body) + text;
  put_number(whole, static_cast<uint32_t>(text.size()));
  put_number(whole, io::crc32(text));
  whole += kIndexEnd;
  ask(whole);
}

void read_block(std::string_view bytes) {
  std::string block;
  put_number(block, io::crc32(bytes));
  block += bytes;
  const io::BlockDecompressor decompressor({});
  const auto opened = OriginalBlock::open(block, 2, 8, decompressor);
  if (!opened) return;
  (void)opened->original(1);
  (void)opened->all();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  ask(std::string(input));
  ask_with_checksums(input);
  read_block(input);
  return 0;
}
