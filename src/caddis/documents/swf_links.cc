// The movie is a list of tags, of which a sprite has one of its own. Those that may have actions or texts are read up to
// where these begin; shapes, fonts, pictures and sounds are passed over.
#include "caddis/documents/swf_links.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/documents/actions.h"
#include "caddis/documents/byte_reader.h"
#include "caddis/documents/markup.h"
#include "caddis/io/content_codec.h"

namespace caddis::documents {
namespace {

constexpr int kDeepest = 16;  // sprites within each other

enum Tag : uint16_t {
  kEnd = 0,
  kDefineButton = 7,
  kDoAction = 12,
  kPlaceObject2 = 26,
  kDefineButton2 = 34,
  kDefineEditText = 37,
  kDefineSprite = 39,
  kImportAssets = 57,
  kDoInitAction = 59,
  kPlaceObject3 = 70,
  kImportAssets2 = 71,
  kDoAbcDefine = 72,
  kMetadata = 77,
  kDoAbc = 82,
};

// Fields of bits, the highest first; each record begins at a byte.
class BitReader {
 public:
  explicit BitReader(ByteReader& bytes) : bytes_(bytes) {}
  uint32_t take(unsigned count) {
    uint32_t value = 0;
    for (; count > 0; --count) {
      if (left_ == 0) {
        byte_ = bytes_.u8();
        left_ = 8;
      }
      value = value << 1 | ((byte_ >> --left_) & 1);
    }
    return value;
  }
  void skip_fields(unsigned fields, unsigned width) {
    for (; fields > 0; --fields) (void)take(width);
  }

 private:
  ByteReader& bytes_;
  uint8_t byte_ = 0;
  unsigned left_ = 0;
};

void skip_rectangle(ByteReader& bytes) {
  BitReader bits(bytes);
  bits.skip_fields(4, bits.take(5));
}

void skip_matrix(ByteReader& bytes) {
  BitReader bits(bytes);
  for (int pair = 0; pair < 2; ++pair)  // scale, rotation
    if (bits.take(1) != 0) bits.skip_fields(2, bits.take(5));
  bits.skip_fields(2, bits.take(5));
}

void skip_color_transform(ByteReader& bytes) {
  BitReader bits(bytes);
  const bool has_add = bits.take(1) != 0, has_multiply = bits.take(1) != 0;
  const unsigned width = bits.take(4);
  if (has_multiply) bits.skip_fields(4, width);
  if (has_add) bits.skip_fields(4, width);
}

class SwfReader {
 public:
  SwfReader(uint8_t version, LinkCollector& links) : version_(version), links_(links) {}

  void read_movie(std::string_view movie) {
    ByteReader reader(movie);
    skip_rectangle(reader);
    reader.skip(4);
    read_tags(reader, 0);
  }

 private:
  void read_tags(ByteReader& reader, int depth) {
    constexpr uint16_t kLong = 0x3F;
    if (depth > kDeepest) return links_.set_problem("sprites are nested too deep");
    while (!reader.at_end()) {
      const uint16_t head = reader.u16();
      size_t length = head & kLong;
      if (length == kLong) length = reader.u32();
      const auto tag = static_cast<uint16_t>(head >> 6);
      if (tag == kEnd) return;
      read_tag(tag, reader.take(length), depth);
    }
    if (reader.overran()) links_.set_problem("it ends within a tag");
  }

  void read_tag(uint16_t tag, std::string_view body, int depth) {
    ByteReader reader(body);
    switch (tag) {
      case kDoAction:
        return read_actions(body, links_);
      case kDoInitAction:
        reader.skip(2);
        return read_actions(reader.rest(), links_);
      case kDefineSprite:
        reader.skip(4);
        return read_tags(reader, depth + 1);
      case kDefineButton:
        return read_button(reader);
      case kDefineButton2:
        return read_button2(reader);
      case kPlaceObject2:
      case kPlaceObject3:
        return read_place(reader, tag == kPlaceObject3);
      case kDefineEditText:
        return read_edit_text(reader);
      case kImportAssets:
      case kImportAssets2:
        return links_.add(reader.text(), LinkKind::embed);
      case kMetadata:
        return read_metadata(reader.text(), links_);
      case kDoAbc:
        reader.skip(4);
        (void)reader.text();
        return read_abc(reader.rest(), links_);
      case kDoAbcDefine:
        return read_abc(body, links_);
      default:
        return;
    }
  }

  // Characters of each state, up to a 0; then actions.
  void read_button(ByteReader& reader) {
    reader.skip(2);
    while (!reader.at_end() && reader.u8() != 0) {
      reader.skip(4);
      skip_matrix(reader);
    }
    read_actions(reader.rest(), links_);
  }

  // A place where conditions with actions begin, each with its size, the last with 0.
  void read_button2(ByteReader& reader) {
    reader.skip(3);
    const size_t place = reader.at();
    const size_t offset = reader.u16();
    if (offset == 0) return;
    reader.seek(place + offset);
    while (!reader.at_end()) {
      const size_t begin = reader.at(), size = reader.u16();
      reader.skip(2);
      if (size == 0) return read_actions(reader.rest(), links_);
      read_actions(reader.take(size - std::min<size_t>(size, 4)), links_);
      if (begin + size > reader.size()) return;
    }
  }

  // Only what runs at events of the clip is of interest; it comes last. Filters are passed over with it.
  void read_place(ByteReader& reader, bool is_third) {
    const uint8_t flags = reader.u8();
    const uint8_t more = is_third ? reader.u8() : 0;
    constexpr uint8_t kActions = 0x80, kDepth = 0x40, kName = 0x20, kRatio = 0x10, kColor = 0x08, kMatrix = 0x04,
                      kCharacter = 0x02;
    constexpr uint8_t kFilters = 0x01, kBlend = 0x02, kCache = 0x04, kClass = 0x08, kImage = 0x10;
    if ((flags & kActions) == 0 || (more & kFilters) != 0) return;
    reader.skip(2);
    if ((more & kClass) != 0 || ((more & kImage) != 0 && (flags & kCharacter) != 0)) (void)reader.text();
    if ((flags & kCharacter) != 0) reader.skip(2);
    if ((flags & kMatrix) != 0) skip_matrix(reader);
    if ((flags & kColor) != 0) skip_color_transform(reader);
    if ((flags & kRatio) != 0) reader.skip(2);
    if ((flags & kName) != 0) (void)reader.text();
    if ((flags & kDepth) != 0) reader.skip(2);
    if ((more & kBlend) != 0) reader.skip(1);
    if ((more & kCache) != 0) reader.skip(1);
    read_clip_actions(reader);
  }

  // Flags of events have 32 bits since version 6.
  void read_clip_actions(ByteReader& reader) {
    constexpr uint32_t kKey = 1u << 17;
    const auto events = [&] { return version_ >= 6 ? reader.u32() : uint32_t{reader.u16()}; };
    reader.skip(2);
    (void)events();
    while (!reader.at_end()) {
      const uint32_t flags = events();
      if (flags == 0) return;
      std::string_view actions = reader.take(reader.u32());
      if ((flags & kKey) != 0 && !actions.empty()) actions.remove_prefix(1);
      read_actions(actions, links_);
    }
  }

  void read_edit_text(ByteReader& reader) {
    reader.skip(2);
    skip_rectangle(reader);
    const uint8_t flags = reader.u8(), more = reader.u8();
    constexpr uint8_t kText = 0x80, kColor = 0x04, kLength = 0x02, kFont = 0x01;
    constexpr uint8_t kFontClass = 0x80, kLayout = 0x20, kHtml = 0x02;
    if ((flags & kFont) != 0) reader.skip(2);
    if ((more & kFontClass) != 0) (void)reader.text();
    if ((flags & kFont) != 0 || (more & kFontClass) != 0) reader.skip(2);
    if ((flags & kColor) != 0) reader.skip(4);
    if ((flags & kLength) != 0) reader.skip(2);
    if ((more & kLayout) != 0) reader.skip(9);
    (void)reader.text();  // the name of its variable
    if ((flags & kText) == 0) return;
    const std::string_view text = reader.text();
    if ((more & kHtml) != 0)
      read_markup(text, false, links_);
    else
      links_.add_text(text);
  }

  const uint8_t version_;
  LinkCollector& links_;
};

}  // namespace

void read_swf(std::string_view bytes, const Limits& limits, LinkCollector& links) {
  constexpr size_t kHeader = 8;
  if (bytes.size() <= kHeader) return links.set_problem("it is cut");
  const auto version = static_cast<uint8_t>(bytes[3]);
  if (bytes.starts_with("ZWS")) return links.set_problem("it is compressed by LZMA, which Caddis does not read");
  const std::string_view body = bytes.substr(kHeader);
  if (!bytes.starts_with("CWS")) return SwfReader(version, links).read_movie(body);
  const io::Decoded unpacked = io::decode_content(body, "deflate", limits.unpacked);
  if (!unpacked.complete) links.set_problem(unpacked.problem);
  SwfReader(version, links).read_movie(unpacked.bytes);
}

}  // namespace caddis::documents
