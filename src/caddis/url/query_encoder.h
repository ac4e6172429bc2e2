// Percent-encoding of query strings in the legacy charset of the document that holds the link ("percent-encode after
// encoding" of the URL Standard): what browsers send for a form or link on a windows-1251 page.
//
// Wraps an ICU converter and is therefore for one thread at a time; owned by whoever parses the document.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/url/percent.h"

namespace caddis::url {

class QueryEncoder {
 public:
  // `charset` is an encoding's name in the Encoding Standard ("windows-1252", "Shift_JIS"), any case. For UTF-8, UTF-16
  // and the "replacement" encoding the standard has no legacy form: they give a null pointer, which Url::parse takes as
  // UTF-8.
  static Result<std::unique_ptr<QueryEncoder>> create(std::string_view charset);
  ~QueryEncoder();
  QueryEncoder(const QueryEncoder&) = delete;
  QueryEncoder& operator=(const QueryEncoder&) = delete;

  // Appends valid `utf8` encoded, with the bytes of `set` as %XX. A character that the charset lacks becomes
  // %26%23<decimal>%3B.
  void append(std::string& out, std::string_view utf8, const ByteSet& set) const;

 private:
  struct Converter;
  explicit QueryEncoder(std::unique_ptr<Converter> converter);
  std::unique_ptr<Converter> converter_;
};

}  // namespace caddis::url
