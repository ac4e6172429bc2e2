// Text made once: the pieces that bodies are put together from, each with its deflated form (it ends on a byte
// boundary and looks at nothing before it) and CRC, so that a gzip body is gathered as a plain one is. Internal to the
// world; made on first use, then constant.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace simweb {

struct Block {
  std::string plain;
  std::string deflated;       // raw DEFLATE (RFC 1951), full flush at its end; empty where never sent so
  uint32_t crc = 0;           // CRC-32 of `plain`
  uint32_t crc_operator = 0;  // zlib's crc32_combine_gen of its length
};

enum class Flavour : uint8_t { html, html_1251, html_latin1, html_sjis, html_gb18030, style, script, binary };
inline constexpr int kFlavours = 8;
inline constexpr std::array<size_t, 4> kBlockSizes = {16'384, 4'096, 1'024, 256};

class BlockStock {
 public:
  static const BlockStock& get();

  static constexpr size_t kMaxAnchor = 64;

  // One of the blocks of exactly kBlockSizes[size_class] bytes.
  const Block& pick(Flavour flavour, size_t size_class, uint64_t draw) const;
  const Block& zeros() const { return zeros_; }          // 1 MB of them
  const std::string& robots() const { return robots_; }  // 479 KB of groups for other robots
  // Text of a link, at most kMaxAnchor bytes.
  std::string_view anchor(uint64_t draw) const { return anchors_[draw & 255]; }

 private:
  BlockStock();
  std::array<std::array<std::vector<Block>, kBlockSizes.size()>, kFlavours> blocks_;
  Block zeros_;
  std::string robots_;
  std::vector<std::string> anchors_;
};

}  // namespace simweb
