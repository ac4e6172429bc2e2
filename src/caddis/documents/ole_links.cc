// A compound file has the stream "WordDocument", "Workbook" (before Office 97 "Book") or "PowerPoint Document"; one that
// has been embedded in another has them in a storage of its own. All of them are read, each with its own tables.
#include "caddis/documents/ole_links.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/utf8.h"
#include "caddis/documents/byte_reader.h"
#include "caddis/documents/compound_file.h"
#include "caddis/documents/embedded.h"
#include "caddis/documents/fields.h"

namespace caddis::documents {
namespace {

constexpr std::string_view kEncrypted = "it is encrypted";

// --- Word

// Fields of a text: 0x13 instruction 0x14 what is shown 0x15; one may stand within another.
class FieldScanner {
 public:
  explicit FieldScanner(LinkCollector& links) : links_(links) {}

  void put(char32_t c) {
    constexpr size_t kDeepest = 64, kLongest = 64 * 1024;
    if (c == 0x13) {
      if (open_.size() < kDeepest) open_.push_back({});
    } else if (open_.empty()) {
      return;
    } else if (c == 0x14) {
      end_instruction();
    } else if (c == 0x15) {
      end_instruction();
      open_.pop_back();
    } else if (open_.back().is_instruction && open_.back().text.size() < kLongest) {
      append_utf8(open_.back().text, c);
    }
  }

 private:
  struct Field {
    std::string text;
    bool is_instruction = true;
  };
  void end_instruction() {
    if (!std::exchange(open_.back().is_instruction, false)) return;
    read_field(open_.back().text, links_);
  }

  LinkCollector& links_;
  std::vector<Field> open_;
};

void scan_bytes(std::string_view text, FieldScanner& scanner) {
  for (const char c : text) scanner.put(static_cast<unsigned char>(c));
}

void scan_utf16(std::string_view text, FieldScanner& scanner) {
  for (ByteReader units(text); units.at() + 1 < units.size();) scanner.put(units.u16());
}

// The pieces of the text, in their order ([MS-DOC] 2.8.35, 2.9.73): each is bytes of Windows-1252 or UTF-16.
void scan_pieces(std::string_view document, std::string_view pieces, FieldScanner& scanner) {
  constexpr size_t kPiece = 8, kPosition = 4;
  if (pieces.size() < kPosition) return;
  const size_t count = (pieces.size() - kPosition) / (kPiece + kPosition);
  ByteReader positions(pieces), descriptors(pieces);
  uint32_t begin = positions.u32();
  for (size_t i = 0; i < count; ++i) {
    const uint32_t end = positions.u32();
    descriptors.seek((count + 1) * kPosition + i * kPiece + 2);
    const uint32_t place = descriptors.u32();
    const bool is_bytes = (place & 0x40000000) != 0;
    const uint64_t at = is_bytes ? (place & 0x3FFFFFFF) / 2 : place & 0x3FFFFFFF;
    if (end < begin || at > document.size()) return;
    const uint64_t length = uint64_t{end - begin} * (is_bytes ? 1 : 2);
    const std::string_view text = document.substr(at, length);
    if (is_bytes)
      scan_bytes(text, scanner);
    else
      scan_utf16(text, scanner);
    begin = end;
  }
}

// The piece table within the stream of tables: behind any number of property modifiers ([MS-DOC] 2.9.38).
std::string_view find_pieces(std::string_view clx) {
  ByteReader reader(clx);
  while (!reader.at_end()) {
    const uint8_t kind = reader.u8();
    if (kind == 2) return reader.take(reader.u32());
    if (kind != 1) break;
    reader.skip(reader.u16());
  }
  return {};
}

void read_word(const CompoundFile& file, const CompoundFile::Entry& stream, const Limits& limits,
               LinkCollector& links) {
  const std::string document = file.read(stream, limits.unpacked);
  ByteReader fib(document);
  fib.seek(2);
  const uint16_t version = fib.u16();
  fib.seek(10);
  const uint16_t flags = fib.u16();
  if ((flags & 0x0100) != 0) return links.set_problem(kEncrypted);
  FieldScanner scanner(links);
  constexpr uint16_t kWord97 = 0x00C1;
  if (version < kWord97) {
    fib.seek(24);
    const uint32_t begin = fib.u32(), end = fib.u32();
    if (begin < end && begin < document.size())
      scan_bytes(std::string_view(document).substr(begin, end - begin), scanner);
    return;
  }
  const CompoundFile::Entry* const tables = file.find((flags & 0x0200) != 0 ? "1Table" : "0Table", stream.storage);
  if (tables == nullptr) return links.set_problem("the stream of tables is missing");
  fib.seek(0x01A2);
  const uint32_t at = fib.u32(), length = fib.u32();
  const std::string table = file.read(*tables, limits.unpacked);
  if (at >= table.size()) return links.set_problem("the table of pieces is missing");
  scan_pieces(document, find_pieces(std::string_view(table).substr(at, length)), scanner);
}

// --- Excel

// A string of a hyperlink object: its length in characters, NUL included ([MS-OSHARED] 2.3.7.9).
std::string hyperlink_text(ByteReader& reader) {
  const uint64_t length = uint64_t{reader.u32()} * 2;
  return from_utf16(reader.take(static_cast<size_t>(std::min<uint64_t>(length, reader.size()))));
}

// A hyperlink object ([MS-OSHARED] 2.3.7.1) with a URL; files and places are left out.
void read_hyperlink(ByteReader reader, LinkCollector& links) {
  constexpr uint32_t kHasMoniker = 0x01, kHasName = 0x10, kHasFrame = 0x80, kIsText = 0x100;
  constexpr std::string_view kUrlMoniker("\xE0\xC9\xEA\x79\xF9\xBA\xCE\x11\x8C\x82\x00\xAA\x00\x4B\xA9\x0B", 16);
  constexpr size_t kClass = 16;
  reader.skip(4);
  const uint32_t flags = reader.u32();
  if ((flags & kHasName) != 0) (void)hyperlink_text(reader);
  if ((flags & kHasFrame) != 0) (void)hyperlink_text(reader);
  if ((flags & kHasMoniker) == 0) return;
  if ((flags & kIsText) != 0) return links.add(hyperlink_text(reader), LinkKind::navigation);
  if (reader.take(kClass) != kUrlMoniker) return;
  const uint32_t length = reader.u32();
  links.add(from_utf16(reader.take(length)), LinkKind::navigation);
}

// A formula that begins with a text, and is or holds HYPERLINK(…) ([MS-XLS] 2.5.198): the text is its address.
void read_formula_tokens(ByteReader record, LinkCollector& links) {
  constexpr size_t kBefore = 20;
  constexpr uint8_t kText = 0x17, kWide = 0x01;
  constexpr std::string_view kHyperlink("\x67\x01", 2);  // the number of the function, 359
  record.skip(kBefore);
  const std::string_view tokens = record.take(record.u16());
  if (!tokens.contains(kHyperlink)) return;
  ByteReader reader(tokens);
  if (reader.u8() != kText) return;
  const size_t length = reader.u8();
  const bool is_wide = (reader.u8() & kWide) != 0;
  const std::string_view text = reader.take(is_wide ? 2 * length : length);
  links.add(is_wide ? from_utf16(text) : std::string(text), LinkKind::navigation);
}

// Records of a type, a length and so many bytes ([MS-XLS] 2.1.4).
void read_excel(std::string_view book, LinkCollector& links) {
  constexpr uint16_t kHlink = 0x01B8, kFilePass = 0x002F, kFormula = 0x0006;
  constexpr size_t kCellsAndClass = 24;
  for (ByteReader reader(book); !reader.at_end();) {
    const uint16_t type = reader.u16();
    const std::string_view record = reader.take(reader.u16());
    if (type == kFilePass) return links.set_problem(kEncrypted);
    if (type == kFormula) read_formula_tokens(ByteReader(record), links);
    if (type != kHlink) continue;
    ByteReader hyperlink(record);
    hyperlink.skip(kCellsAndClass);
    read_hyperlink(hyperlink, links);
  }
}

// --- PowerPoint

// Records that hold others, and those that do not ([MS-PPT] 2.3.1). A hyperlink has its address as text number 1.
void read_slides(std::string_view document, LinkCollector& links) {
  constexpr uint16_t kText = 0x0FBA, kHyperlink = 0x0FD7;
  constexpr uint16_t kAddress = 1, kContainer = 0xF;
  size_t hyperlink_end = 0;
  for (ByteReader reader(document); !reader.at_end();) {
    const uint16_t kind = reader.u16(), type = reader.u16();
    const uint32_t length = reader.u32();
    if (reader.overran()) return;
    if ((kind & 0xF) == kContainer) {
      if (type == kHyperlink) hyperlink_end = reader.at() + length;
      continue;
    }
    const std::string_view record = reader.take(length);
    const bool is_address = type == kText && kind >> 4 == kAddress && reader.at() <= hyperlink_end;
    if (is_address) links.add(from_utf16(record), LinkKind::navigation);
  }
}

// --- Objects

// A file as the packager of Windows wraps it: its name twice, a path, and its bytes ([MS-OLEDS] 2.3.6, and what is known
// of its inside).
std::string_view wrapped_file(std::string_view stream) {
  ByteReader reader(stream);
  const auto skip_text = [&] {
    while (!reader.at_end() && reader.u8() != 0) {
    }
  };
  reader.skip(6);
  skip_text();
  skip_text();
  reader.skip(4);
  reader.skip(reader.u32());
  return reader.take(reader.u32());
}

constexpr std::string_view kWrapped = "\x01Ole10Native";
// The streams of which a document is read. Files of other programs lie in the last three.
constexpr std::string_view kStreams[] = {"WordDocument",     "Workbook", "Book",    "PowerPoint Document",
                                         "EncryptedPackage", kWrapped,   "Package", "CONTENTS"};

void read_object(const CompoundFile& file, const CompoundFile::Entry& entry, const Limits& limits,
                 LinkCollector& links) {
  const bool is_wrapped = entry.name == kWrapped;
  links.count_attachment();
  const std::string bytes = file.read(entry, links.unpacked_left());
  links.take_unpacked(bytes.size());
  read_embedded(is_wrapped ? wrapped_file(bytes) : std::string_view(bytes), limits, links);
}

}  // namespace

void read_ole(std::string_view bytes, const Limits& limits, LinkCollector& links) {
  const auto file = CompoundFile::open(bytes, limits);
  if (!file) return links.set_problem(file.error().message);
  // Each document may have all bytes of the file: their number is bounded.
  constexpr size_t kMostDocuments = 100;
  size_t documents = 0;
  for (const CompoundFile::Entry& entry : file->entries()) {
    if (!entry.is_stream || std::ranges::find(kStreams, entry.name) == std::end(kStreams)) continue;
    if (++documents > kMostDocuments)
      return links.set_problem(fmt::format("only the first {} documents in it are read", kMostDocuments));
    if (entry.name == "WordDocument")
      read_word(*file, entry, limits, links);
    else if (entry.name == "Workbook" || entry.name == "Book")
      read_excel(file->read(entry, limits.unpacked), links);
    else if (entry.name == "PowerPoint Document")
      read_slides(file->read(entry, limits.unpacked), links);
    else if (entry.name == "EncryptedPackage")
      links.set_problem(kEncrypted);
    else
      read_object(*file, entry, limits, links);
  }
}

}  // namespace caddis::documents
