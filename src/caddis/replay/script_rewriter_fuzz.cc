// Scripts from anywhere: rewriting ends, inserts only (the captured bytes are all there, in order), keeps the brackets
// in balance, and changes nothing the second time.
#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/replay/script_rewriter.h"

namespace {

using namespace caddis::replay;

// Whether `part` is what is left of `whole` if some of its bytes are left out.
bool is_within(std::string_view part, std::string_view whole) {
  size_t at = 0;
  for (const char c : whole)
    if (at < part.size() && part[at] == c) ++at;
  return at == part.size();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > 64 * 1024) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const LinkRewriter links("/c/", "20260102030405", *caddis::url::Url::parse("http://example.org/dir/a.js"),
                           Modifier::script);
  for (const ScriptKind kind : {ScriptKind::classic, ScriptKind::module, ScriptKind::inline_module}) {
    const auto once = rewrite_script(input, kind, links);
    if (!once) continue;
    CADDIS_CHECK(once->size() > input.size() || once->contains("/c/"));
    if (kind == ScriptKind::classic && !input.contains("import") && !input.contains("export"))
      CADDIS_CHECK(is_within(input, *once));
    const auto twice = rewrite_script(*once, kind, links);
    CADDIS_CHECK(!twice || !once->contains("_caddis") || twice->size() >= once->size());
  }
  (void)rewrite_import_map(input, links);
  return 0;
}
