// The forms on a page, with what a browser would send of them as they stand (HTML Standard, 4.10.21.4).
//
//   for (const PageForm& form : read_forms(html).forms) …
//
// Fields come in the order of the page: inputs, the option that is chosen in each list, texts, the first button. Images,
// files, and what is disabled are left out.
//
// Pure functions. At most 100 forms, and 500 fields of each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace caddis::logins {

struct FormField {
  enum class Kind : uint8_t { plain, text, password };
  std::string name, value;
  Kind kind = Kind::plain;
  bool is_secret = false;  // of whoever fills it in
};

// How a body is written (the attribute `enctype`).
enum class FormCoding : uint8_t { urlencoded, multipart, text };

struct PageForm {
  std::string action;  // as written
  bool is_post = false;
  FormCoding coding = FormCoding::urlencoded;
  size_t passwords = 0;  // fields for one
  std::vector<FormField> fields;
};

struct PageForms {
  std::string base;  // of the first <base href>, as written; actions resolve against it wherever it stands
  std::vector<PageForm> forms;
};

PageForms read_forms(std::string_view html);

}  // namespace caddis::logins
