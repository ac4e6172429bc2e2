// For fuzz targets and tests of rewriters: documents that are not in memory as a whole.
#pragma once

#include <string>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/replay/link_rewriter.h"

namespace caddis::replay {

// The source in windows of up to `most` bytes, the output in pieces.
template <class Rewriter>
std::string in_windows(Rewriter& rewriter, std::string_view source, size_t most) {
  constexpr size_t kWindow = 16;
  std::string out;
  size_t done = 0, wanted = kWindow;
  for (;;) {
    const std::string_view seen = source.substr(done, wanted);
    const bool last = done + seen.size() == source.size();
    size_t taken = rewriter.rewrite(seen, last, out.size() + 1, out);
    if (last && done + taken == source.size()) return out;
    const size_t before = out.size();
    if (taken == 0 && wanted >= most) taken = rewriter.pass_token(seen, out);
    CADDIS_CHECK(taken <= seen.size() && out.size() >= before);
    CADDIS_CHECK(taken > 0 || wanted < most);
    wanted = taken > 0 ? kWindow : wanted * 2;
    done += taken;
  }
}

// Rewriting ends, gives the same in pieces as at once, and the source where it replaces nothing.
template <class Rewriter>
void fuzz_in_windows(std::string_view input, const LinkRewriter& links) {
  std::string out;
  Rewriter whole(links);
  size_t done = 0;
  while (done < input.size()) done += whole.rewrite(input.substr(done), true, std::string::npos, out);
  for (const size_t most : {size_t{128}, size_t{1} << 20}) {
    Rewriter rewriter(links);
    const std::string pieces = in_windows(rewriter, input, most);
    CADDIS_CHECK(most == 128 || pieces == out);
  }
  if (!out.contains("/c/20260102030405")) CADDIS_CHECK(out == input);
}

}  // namespace caddis::replay
