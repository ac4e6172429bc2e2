// yardsticks: what libraries and the kernel need for the records of a crawl, as JSON (README.md).
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <sstream>

#include "caddis/base/json_text.h"
#include "yardsticks/codecs.h"
#include "yardsticks/network.h"
#include "yardsticks/rows.h"
#include "yardsticks/stopwatch.h"

namespace yardsticks {
namespace {

struct Options {
  std::vector<std::string> files;
  MadeOptions made;
  RowOptions rows;
  uint64_t sample_bytes = 24 << 20;
  double seconds = 0.3;
  int core = 0, other_core = 1;
  std::string folder = ".";
};

std::string line_of_cpuinfo(std::string_view name) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(name)) return line.substr(std::min(line.size(), line.find(':') + 2));
  return {};
}

// The instructions on which the figures depend.
std::string flags_json() {
  std::istringstream words(line_of_cpuinfo("flags"));
  std::string out = "[";
  for (std::string word; words >> word;) {
    for (const std::string_view wanted : {"sha_ni", "aes", "vaes", "pclmulqdq", "avx2", "avx512bw", "bmi2"}) {
      if (word != wanted) continue;
      if (out.size() > 1) out += ',';
      caddis::append_json_string(out, word);
    }
  }
  return out + "]";
}

std::string sample_json(const Sample& sample, const CodecTimes& codecs) {
  const auto a_document = [&](uint64_t number) {
    return static_cast<double>(number) / static_cast<double>(sample.documents);
  };
  caddis::JsonObject json;
  json.add("records", sample.records.size())
      .add("documents", sample.documents)
      .add("exchanges", a_document(sample.exchanges))
      .add("wire_bytes", a_document(sample.wire_bytes))
      .add("raw_bytes", a_document(sample.raw_bytes))
      .add("body_bytes", a_document(sample.body_bytes))
      .add("gzip_fast_bytes", a_document(codecs.fast_bytes))
      .add("gzip_small_bytes", a_document(codecs.small_bytes));
  return json.finish();
}

caddis::Result<std::string> run(Options options) {
  Sample sample;
  if (options.files.empty()) {
    sample = made_sample(options.made);
  } else {
    TRY(sample, sample_of_files(options.files, options.sample_bytes));
  }
  const bool pinned = pin_to(options.core);

  TRY(const NetworkTimes network,
      measure_network(sample, {.server_core = options.other_core, .seconds = options.seconds}));
  const Spinner busy(options.other_core);
  TRY(const CodecTimes codecs, measure_codecs(sample, options.seconds, options.folder));
  const double handshake = measure_handshake(options.seconds);
  // Groups are of 4 MB of records, or of a second.
  constexpr uint64_t kGroup = 4 << 20, kFastest = 5000;
  options.rows.seconds = options.seconds;
  options.rows.group_pages = std::clamp<uint64_t>(kGroup * sample.documents / (codecs.fast_bytes + 1), 1, kFastest);
  TRY(const double rows, measure_rows(options.rows, options.folder));

  const auto a_document = [&](double seconds) { return seconds * 1e6 / static_cast<double>(sample.documents); };
  caddis::JsonObject micros;
  micros.add("receive", a_document(network.receive))
      .add("send", a_document(network.send))
      .add("decrypt", a_document(codecs.decrypt))
      .add("sha1", a_document(codecs.sha1))
      .add("gunzip", a_document(codecs.gunzip))
      .add("scan", a_document(codecs.scan))
      .add("gzip_fast", a_document(codecs.gzip_fast))
      .add("gzip_small", a_document(codecs.gzip_small))
      .add("copy", a_document(codecs.copy))
      .add("write", a_document(codecs.write))
      .add("rows", rows * 1e6)
      .add("connect", network.connect * 1e6)
      .add("handshake", handshake * 1e6);
  caddis::JsonObject json;
  json.add("cpu", line_of_cpuinfo("model name"))
      .add_raw("cpu_flags", flags_json())
      .add("pinned", pinned)
      .add("group_pages", options.rows.group_pages)
      .add_raw("sample", sample_json(sample, codecs))
      .add_raw("us", micros.finish());
  return json.finish();
}

}  // namespace
}  // namespace yardsticks

int main(int argc, char** argv) {
  CLI::App app("What libraries and the kernel need for the records of a crawl: microseconds a document, as JSON.",
               "yardsticks");
  yardsticks::Options options;
  app.add_option("warc", options.files, "Records to take; without, pages are made");
  app.add_option("--page-size", options.made.page_size, "Bytes of a made page")->capture_default_str();
  app.add_option("--links", options.made.links, "Links of a made page")->capture_default_str();
  app.add_option("--gzip", options.made.gzip, "Share of made pages with a content coding")->capture_default_str();
  app.add_option("--new-links", options.rows.new_links, "New links a page, for the rows")->capture_default_str();
  app.add_option("--hosts", options.rows.hosts, "Hosts visited, for the rows")->capture_default_str();
  app.add_option("--seconds", options.seconds, "About how long each yardstick takes")->capture_default_str();
  app.add_option("--core", options.core, "Where to measure")->capture_default_str();
  app.add_option("--other-core", options.other_core, "Which core to keep busy meanwhile")->capture_default_str();
  app.add_option("--folder", options.folder, "Where files may be written")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  const auto result = yardsticks::run(options);
  if (!result) {
    fmt::print(stderr, "yardsticks: {}\n", result.error().message);
    return 1;
  }
  fmt::print("{}\n", *result);
  return 0;
}
