// The encodings of the Encoding Standard (https://encoding.spec.whatwg.org): labels, names, decoding to UTF-8.
//
// An encoding is known by its name in the standard ("windows-1252", "Shift_JIS"); names are static views. Pure
// functions, any thread. Converters are ICU's, except for windows-1252 (most pages that are not UTF-8) and what ICU
// lacks (ISO-8859-16, x-user-defined).
#pragma once

#include <string>
#include <string_view>

namespace caddis::text {

inline constexpr std::string_view kUtf8 = "UTF-8";
inline constexpr std::string_view kWindows1252 = "windows-1252";

// The name of the encoding that `label` stands for on the web ("latin1" gives "windows-1252"), ASCII case and
// surrounding white space ignored; empty for an unknown label.
std::string_view encoding_for_label(std::string_view label);

bool is_ascii(std::string_view bytes);
// As caddis::is_utf8, fast on long ASCII stretches.
bool is_utf8_text(std::string_view bytes);

// `bytes` in UTF-8, a byte order mark of that encoding removed. Returns a view of `bytes` itself where they are that
// already, else of `storage`. Malformed sequences become U+FFFD. `encoding` is a name of the standard; an unknown one
// is read as windows-1252. "replacement" gives a single U+FFFD.
std::string_view to_utf8(std::string_view bytes, std::string_view encoding, std::string& storage);

// Whether ASCII bytes stand for themselves wherever markup could have them, so that a document may be taken apart
// before it is decoded. Not so for UTF-16, ISO-2022-JP and "replacement".
bool keeps_markup(std::string_view encoding);
// As to_utf8, of a piece of a document in an encoding that keeps markup: no byte order mark is looked for.
std::string_view piece_to_utf8(std::string_view bytes, std::string_view encoding, std::string& storage);

}  // namespace caddis::text
