#include "caddis/text/encoding.h"

#include <unicode/ucnv.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <unordered_map>

#include "caddis/base/strings.h"
#include "caddis/base/utf8.h"

namespace caddis::text {
namespace {

struct EncodingRow {
  std::string_view name;
  std::string_view labels;  // separated by spaces, lower case
};

constexpr EncodingRow kEncodings[] = {
    {"UTF-8", "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8"},
    {"IBM866", "866 cp866 csibm866 ibm866"},
    {"ISO-8859-2", "csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2"},
    {"ISO-8859-3", "csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3"},
    {"ISO-8859-4", "csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4"},
    {"ISO-8859-5", "csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988"},
    {"ISO-8859-6",
     "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e iso-8859-6-i "
     "iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987"},
    {"ISO-8859-7",
     "csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597 iso_8859-7 "
     "iso_8859-7:1987 sun_eu_greek"},
    {"ISO-8859-8",
     "csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 "
     "iso_8859-8:1988 visual"},
    {"ISO-8859-8-I", "csiso88598i iso-8859-8-i logical"},
    {"ISO-8859-10", "csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6"},
    {"ISO-8859-13", "iso-8859-13 iso8859-13 iso885913"},
    {"ISO-8859-14", "iso-8859-14 iso8859-14 iso885914"},
    {"ISO-8859-15", "csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9"},
    {"ISO-8859-16", "iso-8859-16"},
    {"KOI8-R", "cskoi8r koi koi8 koi8-r koi8_r"},
    {"KOI8-U", "koi8-ru koi8-u"},
    {"macintosh", "csmacintosh mac macintosh x-mac-roman"},
    {"windows-874", "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874"},
    {"windows-1250", "cp1250 windows-1250 x-cp1250"},
    {"windows-1251", "cp1251 windows-1251 x-cp1251"},
    {"windows-1252",
     "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1 "
     "iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252"},
    {"windows-1253", "cp1253 windows-1253 x-cp1253"},
    {"windows-1254",
     "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 windows-1254 "
     "x-cp1254"},
    {"windows-1255", "cp1255 windows-1255 x-cp1255"},
    {"windows-1256", "cp1256 windows-1256 x-cp1256"},
    {"windows-1257", "cp1257 windows-1257 x-cp1257"},
    {"windows-1258", "cp1258 windows-1258 x-cp1258"},
    {"x-mac-cyrillic", "x-mac-cyrillic x-mac-ukrainian"},
    {"GBK", "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk"},
    {"gb18030", "gb18030"},
    {"Big5", "big5 big5-hkscs cn-big5 csbig5 x-x-big5"},
    {"EUC-JP", "cseucpkdfmtjapanese euc-jp x-euc-jp"},
    {"ISO-2022-JP", "csiso2022jp iso-2022-jp"},
    {"Shift_JIS", "csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis"},
    {"EUC-KR",
     "cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949"},
    {"replacement", "csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr replacement"},
    {"UTF-16BE", "unicodefffe utf-16be"},
    {"UTF-16LE", "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le"},
    {"x-user-defined", "x-user-defined"},
};

constexpr std::string_view kReplacement = "replacement";

bool is_utf16(std::string_view encoding) { return encoding == "UTF-16LE" || encoding == "UTF-16BE"; }

using LabelMap = std::unordered_map<std::string_view, std::string_view>;

LabelMap make_labels() {
  LabelMap map;
  for (const EncodingRow& row : kEncodings) {
    for (const std::string_view label : split(row.labels, ' ')) map.emplace(label, row.name);
  }
  return map;
}

// What ICU calls the standard's encodings; other names are the same there.
const char* icu_name(std::string_view encoding) {
  if (encoding == "GBK") return "gb18030";
  if (encoding == "Big5") return "Big5-HKSCS";
  if (encoding == "EUC-KR") return "windows-949";
  if (encoding == "ISO-8859-8-I") return "ISO-8859-8";
  for (const EncodingRow& row : kEncodings) {
    if (row.name == encoding) return row.name.data();
  }
  return kWindows1252.data();
}

constexpr char16_t kIso8859_16[96] = {
    0xA0,  0x104, 0x105, 0x141, 0x20AC, 0x201E, 0x160, 0xA7,  0x161, 0xA9,  0x218, 0xAB, 0x179, 0xAD,  0x17A, 0x17B,
    0xB0,  0xB1,  0x10C, 0x142, 0x17D,  0x201D, 0xB6,  0xB7,  0x17E, 0x10D, 0x219, 0xBB, 0x152, 0x153, 0x178, 0x17C,
    0xC0,  0xC1,  0xC2,  0x102, 0xC4,   0x106,  0xC6,  0xC7,  0xC8,  0xC9,  0xCA,  0xCB, 0xCC,  0xCD,  0xCE,  0xCF,
    0x110, 0x143, 0xD2,  0xD3,  0xD4,   0x150,  0xD6,  0x15A, 0x170, 0xD9,  0xDA,  0xDB, 0xDC,  0x118, 0x21A, 0xDF,
    0xE0,  0xE1,  0xE2,  0x103, 0xE4,   0x107,  0xE6,  0xE7,  0xE8,  0xE9,  0xEA,  0xEB, 0xEC,  0xED,  0xEE,  0xEF,
    0x111, 0x144, 0xF2,  0xF3,  0xF4,   0x151,  0xF6,  0x15B, 0x171, 0xF9,  0xFA,  0xFB, 0xFC,  0x119, 0x21B, 0xFF};

// What windows-1252 has at 0x80 to 0x9F.
constexpr char16_t kWindows1252C1[32] = {0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                         0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,   0x017D, 0x8F,
                                         0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                         0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

// One byte, one character; ASCII below 0x80.
template <class Map>
void append_single_byte(std::string& out, std::string_view bytes, Map upper_half) {
  out.reserve(out.size() + bytes.size() + bytes.size() / 8);
  for (size_t at = 0; at < bytes.size();) {
    size_t end = at;
    for (uint64_t word; end + 8 <= bytes.size(); end += 8) {
      std::memcpy(&word, bytes.data() + end, 8);
      if ((word & 0x8080808080808080u) != 0) break;
    }
    while (end < bytes.size() && static_cast<uint8_t>(bytes[end]) < 0x80) ++end;
    out.append(bytes, at, end - at);
    for (at = end; at < bytes.size() && static_cast<uint8_t>(bytes[at]) >= 0x80; ++at) {
      append_utf8(out, upper_half(static_cast<uint8_t>(bytes[at])));
    }
  }
}

using Converter = std::unique_ptr<UConverter, decltype(&ucnv_close)>;

Converter open_converter(const char* name) {
  UErrorCode error = U_ZERO_ERROR;
  Converter converter(ucnv_open(name, &error), ucnv_close);
  return U_FAILURE(error) ? Converter(nullptr, ucnv_close) : std::move(converter);
}

// The converter of an encoding, kept for this thread's next piece: opening one costs more than most pieces. Null where
// ICU has none.
UConverter* converter_for(std::string_view encoding) {
  struct Kept {
    std::string encoding;
    Converter converter{nullptr, ucnv_close};
  };
  thread_local Kept kept;
  if (kept.encoding != encoding) kept = {std::string(encoding), open_converter(icu_name(encoding))};
  if (kept.converter) ucnv_reset(kept.converter.get());
  return kept.converter.get();
}

void append_with_icu(std::string& out, std::string_view bytes, std::string_view encoding) {
  UConverter* converter = converter_for(encoding);
  thread_local const Converter utf8 = open_converter("UTF-8");
  if (converter == nullptr || !utf8) {
    append_single_byte(out, bytes, [](uint8_t byte) { return static_cast<char32_t>(byte); });
    return;
  }
  // In pieces, so that the room for the worst case stays small; a character cut at a piece's end waits in the
  // converter.
  constexpr size_t kPiece = 64 * 1024;
  std::array<UChar, 8192> pivot;
  UChar* pivot_source = pivot.data();
  UChar* pivot_target = pivot.data();
  bool first = true;
  for (size_t at = 0; at < bytes.size() || first;) {
    const size_t length = std::min(kPiece, bytes.size() - at);
    const bool last = at + length == bytes.size();
    const size_t before = out.size();
    const size_t room = 4 * length + 64;
    out.resize_and_overwrite(before + room, [&](char* data, size_t) {
      char* target = data + before;
      const char* source = bytes.data() + at;
      UErrorCode error = U_ZERO_ERROR;
      ucnv_convertEx(utf8.get(), converter, &target, data + before + room, &source, bytes.data() + at + length,
                     pivot.data(), &pivot_source, &pivot_target, pivot.data() + pivot.size(), first, last, &error);
      return static_cast<size_t>(target - data);
    });
    at += length;
    first = false;
  }
}

// The length of the longest beginning of a sequence at the front of `text`, which is malformed: it becomes one U+FFFD.
size_t malformed_length(std::string_view text) {
  const auto lead = static_cast<uint8_t>(text[0]);
  if (text.size() < 2 || lead < 0xC2 || lead > 0xF4) return 1;
  const auto second = static_cast<uint8_t>(text[1]);
  const uint8_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const uint8_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (lead < 0xE0 || second < low || second > high) return 1;
  if (lead < 0xF0 || text.size() < 3 || (static_cast<uint8_t>(text[2]) & 0xC0) != 0x80) return 2;
  return 3;
}

bool is_tail(char c) { return (static_cast<uint8_t>(c) & 0xC0) == 0x80; }

// The first byte that begins no well-formed sequence, or the end.
size_t well_formed_length(std::string_view text) {
  size_t at = 0;
  while (at < text.size()) {
    if (at + 32 <= text.size()) {
      uint64_t words[4];
      std::memcpy(words, text.data() + at, 32);
      if (((words[0] | words[1] | words[2] | words[3]) & 0x8080808080808080u) == 0) {
        at += 32;
        continue;
      }
    }
    // Within 32 bytes that are not all ASCII; letters of two bytes and of three, which most texts are made of, here.
    const size_t stop = std::min(at + 32, text.size());
    while (at < stop) {
      const auto lead = static_cast<uint8_t>(text[at]);
      if (lead < 0x80) {
        ++at;
      } else if (lead >= 0xC2 && lead < 0xE0 && at + 1 < text.size() && is_tail(text[at + 1])) {
        at += 2;
      } else if (lead > 0xE0 && lead < 0xED && at + 2 < text.size() && is_tail(text[at + 1]) && is_tail(text[at + 2])) {
        at += 3;
      } else {
        const size_t length = utf8_length(text.substr(at));
        if (length == 0) return at;
        at += length;
      }
    }
  }
  return at;
}

void append_repaired_utf8(std::string& out, std::string_view bytes) {
  while (!bytes.empty()) {
    const size_t good = well_formed_length(bytes);
    out.append(bytes, 0, good);
    bytes.remove_prefix(good);
    if (bytes.empty()) break;
    out += "\uFFFD";
    bytes.remove_prefix(malformed_length(bytes));
  }
}

}  // namespace

std::string_view encoding_for_label(std::string_view label) {
  static const LabelMap kLabels = make_labels();
  std::string key = to_lower(trim(label));
  const auto found = kLabels.find(key);
  return found == kLabels.end() ? std::string_view() : found->second;
}

bool is_ascii(std::string_view bytes) {
  uint64_t seen = 0;
  size_t at = 0;
  for (; at + 64 <= bytes.size() && (seen & 0x8080808080808080u) == 0; at += 64) {
    uint64_t words[8];
    std::memcpy(words, bytes.data() + at, 64);
    for (const uint64_t word : words) seen |= word;
  }
  for (; at < bytes.size(); ++at) seen |= static_cast<uint8_t>(bytes[at]);
  return (seen & 0x8080808080808080u) == 0;
}

bool is_utf8_text(std::string_view bytes) { return well_formed_length(bytes) == bytes.size(); }

std::string_view piece_to_utf8(std::string_view bytes, std::string_view encoding, std::string& storage) {
  storage.clear();
  if (encoding == kUtf8) {
    if (is_utf8_text(bytes)) return bytes;
    append_repaired_utf8(storage, bytes);
    return storage;
  }
  if (encoding != "ISO-2022-JP" && !is_utf16(encoding) && is_ascii(bytes)) return bytes;
  if (encoding == kWindows1252) {
    // The charset of most pages that are not UTF-8.
    append_single_byte(storage, bytes, [](uint8_t b) { return char32_t(b < 0xA0 ? kWindows1252C1[b - 0x80] : b); });
  } else if (encoding == "ISO-8859-16") {
    append_single_byte(storage, bytes, [](uint8_t b) { return char32_t(b < 0xA0 ? b : kIso8859_16[b - 0xA0]); });
  } else if (encoding == "x-user-defined") {
    append_single_byte(storage, bytes, [](uint8_t byte) { return char32_t(0xF700 + byte); });
  } else {
    append_with_icu(storage, bytes, encoding);
  }
  return storage;
}

std::string_view to_utf8(std::string_view bytes, std::string_view encoding, std::string& storage) {
  if (encoding == kReplacement) {
    storage = bytes.empty() ? "" : "\uFFFD";
    return storage;
  }
  const std::string_view mark = encoding == kUtf8        ? "\xEF\xBB\xBF"
                                : encoding == "UTF-16LE" ? "\xFF\xFE"
                                : encoding == "UTF-16BE" ? "\xFE\xFF"
                                                         : "";
  if (bytes.starts_with(mark)) bytes.remove_prefix(mark.size());
  return piece_to_utf8(bytes, encoding, storage);
}

bool keeps_markup(std::string_view encoding) {
  return !is_utf16(encoding) && encoding != "ISO-2022-JP" && encoding != kReplacement;
}

}  // namespace caddis::text
