#include "caddis/harvest/harvest_info.h"

#include <fmt/format.h>

#include <chrono>
#include <string>

#include "caddis/base/time_format.h"
#include "caddis/harvest/definitions.h"
#include "caddis/harvest/job_files.h"

namespace caddis::harvest {
namespace {

constexpr std::string_view kVersion = "0.6";  // of the document

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (static_cast<unsigned char>(c) >= ' ' || c == '\n' || c == '\t')
      out += c;
  }
  return out;
}

class Document {
 public:
  void add(std::string_view name, std::string_view value) {
    if (!value.empty()) text_ += fmt::format("  <{}>{}</{}>\n", name, escaped(value), name);
  }
  void add(std::string_view name, int64_t value) { add(name, std::to_string(value)); }
  std::string finish() {
    return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<harvestInfo>\n{}</harvestInfo>\n", text_);
  }

 private:
  std::string text_;
};

}  // namespace

Result<void> write_harvest_info(sql::Connection& c, const Job& job, std::string_view performer) {
  TRY(const Definition harvest, find_definition(c, job.definition));
  TRY(const auto comments,
      c.row("SELECT comments FROM templates WHERE name = ?", sql::Values(job.shape.template_name)));
  Document document;
  document.add("version", kVersion);
  document.add("jobId", job.id);
  document.add("channel", job.channel);
  document.add("harvestNum", job.run);
  document.add("origHarvestDefinitionID", job.definition_id);
  document.add("maxBytesPerDomain", job.shape.limits.bytes);
  document.add("maxObjectsPerDomain", job.shape.limits.objects);
  document.add("orderXMLName", job.shape.template_name);
  if (comments) document.add("orderXMLDescription", comments->text(0));
  document.add("origHarvestDefinitionName", job.definition);
  document.add("origHarvestDefinitionComments", harvest.comments);
  document.add("scheduleName", harvest.schedule);
  document.add("harvestFilenamePrefix", file_prefix(job.id, job.definition_id));
  if (job.times.submitted) document.add("jobSubmitDate", rfc3339(WallTime(std::chrono::seconds(*job.times.submitted))));
  document.add("performer", performer);
  document.add("audience", harvest.audience);
  return c.execute(
      "INSERT INTO job_files (job_id, name, text) VALUES (?, ?, ?) ON CONFLICT (job_id, name) DO UPDATE SET "
      "text = excluded.text",
      sql::Values(job.id, kHarvestInfo, document.finish()));
}

}  // namespace caddis::harvest
