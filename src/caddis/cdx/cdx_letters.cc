#include "caddis/cdx/cdx_letters.h"

#include "caddis/base/strings.h"

namespace caddis::cdx {
namespace {

// A blank or a line end would be read as a separator.
void add_or_dash(std::string& out, std::string_view value) {
  if (!out.empty()) out += ' ';
  if (value.empty()) out += '-';
  for (const char c : value) {
    if (static_cast<unsigned char>(c) > ' ')
      out += c;
    else
      out += '%' + to_hex(std::string_view(&c, 1));
  }
}

}  // namespace

std::string_view cdx_letters(size_t fields) {
  switch (fields) {
    case 9:
      return "NbamskrVg";
    case 10:
      return "NbamskrMVg";
    case 11:
      return "NbamskrMSVg";
    case 14:
      return "NbamskrMSVg123";
    default:
      return {};
  }
}

std::string Capture::* member_for_letter(char letter) {
  switch (letter) {
    case 'N':
      return &Capture::urlkey;
    case 'b':
      return &Capture::timestamp;
    case 'a':
      return &Capture::url;
    case 'm':
      return &Capture::mime;
    case 's':
      return &Capture::status;
    case 'k':
      return &Capture::digest;
    case 'r':
      return &Capture::redirect;
    case 'M':
      return &Capture::robotflags;
    case 'S':
      return &Capture::length;
    case 'V':
      return &Capture::offset;
    case 'g':
      return &Capture::filename;
    case '1':
      return &Capture::original_length;
    case '2':
      return &Capture::original_offset;
    case '3':
      return &Capture::original_filename;
    default:
      return nullptr;
  }
}

std::string cdx_line(const Capture& capture, std::string_view letters) {
  std::string line;
  for (const char letter : letters) add_or_dash(line, capture.*member_for_letter(letter));
  return line;
}

}  // namespace caddis::cdx
