// Any bytes as a configuration of Heritrix: what comes out is accepted by Caddis itself or says why not, and nothing of the
// file is left untold.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/check.h"
#include "caddis/config/settings.h"
#include "caddis/heritrix/importer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis;
  heritrix::ImportSource source;
  source.name = "x.cxml";
  source.text.assign(reinterpret_cast<const char*>(data), size);
  source.read = [&](const std::string& name) -> Result<std::string> {
    if (name.size() % 2 == 0) return source.text;  // a file that imports itself, and lists that are none
    return fail(ErrorCode::not_found, "it is not there");
  };
  source.list = [](const std::string&) { return std::vector<std::string>{"org/example/settings.xml"}; };
  const auto imported = heritrix::import_configuration(source, "/x");
  if (!imported) {
    CADDIS_CHECK(!imported.error().message.empty());
    return 0;
  }
  CADDIS_CHECK(imported->report.count(heritrix::Fate::untold) == 0);
  config::Settings settings;
  const auto loaded = config::load_settings(imported->files.front().text, "crawl.yaml", settings);
  CADDIS_CHECK(loaded.has_value() || !imported->open_question.empty());
  return 0;
}
