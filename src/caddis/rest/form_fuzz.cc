// Fuzz target: forms are read without fault, whatever the body and its coding.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "caddis/rest/form.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  caddis::http::ServerRequest request;
  request.body = text;
  if (size != 0 && data[0] == 0x1F) request.headers.emplace_back("Content-Encoding", "gzip");
  if (const auto form = caddis::rest::Form::of(request)) (void)form->text("script");
  return 0;
}
