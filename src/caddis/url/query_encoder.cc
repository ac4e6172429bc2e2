#include "caddis/url/query_encoder.h"

#include <unicode/ucnv.h>
#include <unicode/ucnv_err.h>

#include <array>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/base/utf8.h"

namespace caddis::url {
namespace {

// Names under which ICU knows the Encoding Standard's tables where its own reading of the name is another one.
struct IcuName {
  std::string_view encoding;
  const char* icu;
};
constexpr std::array kIcuNames = {
    IcuName{"shift_jis", "ibm-943_P15A-2003"},
    IcuName{"euc-kr", "windows-949-2000"},
    IcuName{"big5", "big5-hkscs"},
    IcuName{"gbk", "gb18030"},
    IcuName{"x-user-defined", "iso-8859-1"},
    IcuName{"iso-8859-8-i", "iso-8859-8"},
    IcuName{"x-mac-cyrillic", "macintosh-cyrillic"},
};

bool has_no_legacy_form(std::string_view charset) {
  return charset.empty() || charset == "utf-8" || charset == "utf8" || charset.starts_with("utf-16") ||
         charset == "replacement";
}

}  // namespace

struct QueryEncoder::Converter {
  explicit Converter(UConverter* opened) : icu(opened) {}
  ~Converter() { ucnv_close(icu); }
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;
  UConverter* icu;
  bool japanese = false;
  bool stateful = false;  // ISO-2022-JP
};

QueryEncoder::QueryEncoder(std::unique_ptr<Converter> converter) : converter_(std::move(converter)) {}
QueryEncoder::~QueryEncoder() = default;

Result<std::unique_ptr<QueryEncoder>> QueryEncoder::create(std::string_view charset) {
  const std::string name = to_lower(charset);
  if (has_no_legacy_form(name)) return nullptr;
  const char* icu_name = name.c_str();
  for (const IcuName& known : kIcuNames) {
    if (known.encoding == name) icu_name = known.icu;
  }
  UErrorCode status = U_ZERO_ERROR;
  auto converter = std::make_unique<Converter>(ucnv_open(icu_name, &status));
  if (U_FAILURE(status)) return fail(ErrorCode::unsupported, "unknown charset \"" + name + "\"");
  converter->stateful = name == "iso-2022-jp";
  converter->japanese = converter->stateful || name == "shift_jis" || name == "euc-jp";
  ucnv_setFallback(converter->icu, false);
  ucnv_setFromUCallBack(converter->icu, UCNV_FROM_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &status);
  return std::unique_ptr<QueryEncoder>(new QueryEncoder(std::move(converter)));
}

namespace {

// Code points that the Encoding Standard's encoders refuse although ICU writes something for them.
bool refused(char32_t c, bool stateful) {
  if (stateful && (c == 0x0E || c == 0x0F || c == 0x1B)) return true;
  return c == 0xE5E5;
}

// One code point through the converter, which keeps its shift state; false where the charset lacks it.
bool encode(UConverter* icu, char32_t c, bool flush, std::string& out) {
  UChar units[2];
  const int length = c > 0xFFFF ? 2 : 1;
  if (length == 2) {
    units[0] = static_cast<UChar>(0xD7C0 + (c >> 10));
    units[1] = static_cast<UChar>(0xDC00 + (c & 0x3FF));
  } else {
    units[0] = static_cast<UChar>(c);
  }
  char bytes[32];
  char* target = bytes;
  const UChar* source = units;
  UErrorCode status = U_ZERO_ERROR;
  ucnv_fromUnicode(icu, &target, bytes + sizeof bytes, &source, units + (flush ? 0 : length), nullptr, flush, &status);
  if (U_FAILURE(status)) return false;
  out.append(bytes, target);
  return true;
}

}  // namespace

void QueryEncoder::append(std::string& out, std::string_view utf8, const ByteSet& set) const {
  UConverter* icu = converter_->icu;
  ucnv_resetFromUnicode(icu);
  std::string bytes;
  const auto escape_bytes = [&] {
    append_escaped(out, bytes, set);
    bytes.clear();
  };
  while (!utf8.empty()) {
    char32_t c = take_utf8(utf8);
    if (converter_->japanese && c == 0x2212) c = 0xFF0D;  // the minus sign is written as the fullwidth hyphen
    const bool forbidden = refused(c, converter_->stateful);
    if (!forbidden && encode(icu, c, false, bytes)) continue;
    // The standard's ISO-2022-JP names a shift character by the replacement character, lest it become an escape
    // sequence.
    if (forbidden && c < 0x20) c = 0xFFFD;
    if (converter_->stateful) encode(icu, 0, true, bytes);
    escape_bytes();
    ucnv_resetFromUnicode(icu);
    out += "%26%23" + std::to_string(static_cast<uint32_t>(c)) + "%3B";
  }
  if (converter_->stateful) encode(icu, 0, true, bytes);
  escape_bytes();
}

}  // namespace caddis::url
