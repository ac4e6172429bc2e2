#include "caddis/harvest/harvest_info.h"

#include <fmt/format.h>

#include <chrono>
#include <string>
#include <vector>

#include "caddis/base/time_format.h"
#include "caddis/harvest/definitions.h"
#include "caddis/harvest/job_files.h"
#include "caddis/harvest/templates.h"

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

std::string on_one_line(std::string_view text) {
  std::string line(text);
  for (char& c : line)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  return line;
}

class Document {
 public:
  void add(std::string_view name, std::string_view value) {
    if (value.empty()) return;
    text_ += fmt::format("  <{}>{}</{}>\n", name, escaped(value), name);
    fields_.push_back(fmt::format("harvestInfo.{}: {}", name, on_one_line(value)));
  }
  void add(std::string_view name, int64_t value) { add(name, std::to_string(value)); }
  std::string finish() {
    return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<harvestInfo>\n{}</harvestInfo>\n", text_);
  }

  // The same for the warcinfo records of the job.
  const std::vector<std::string>& fields() const { return fields_; }

 private:
  std::string text_;
  std::vector<std::string> fields_;
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
  TRY(const auto changed, c.row("SELECT max(time) FROM changes WHERE kind = 'template' AND name = ?",
                                sql::Values(job.shape.template_name)));
  if (changed && !changed->is_null(0))
    document.add("orderXMLUpdateDate", rfc3339(WallTime(std::chrono::seconds(changed->number(0)))));
  if (comments) document.add("orderXMLDescription", comments->text(0));
  document.add("origHarvestDefinitionName", job.definition);
  document.add("origHarvestDefinitionComments", harvest.comments);
  document.add("scheduleName", harvest.schedule);
  document.add("harvestFilenamePrefix", file_prefix(job.id, job.definition_id));
  if (job.times.submitted) document.add("jobSubmitDate", rfc3339(WallTime(std::chrono::seconds(*job.times.submitted))));
  document.add("performer", performer);
  TRY(const std::string crawl_yaml, job_file(c, job.id, "crawl.yaml"));
  TRY(const std::string template_yaml, job_file(c, job.id, "template.yaml"));
  TRY(const std::string operator_name, operator_of(template_yaml, job.shape.overrides));
  document.add("operator", operator_name);
  document.add("audience", harvest.audience);
  // The list of the job takes the place of that of the template.
  TRY(std::vector<std::string> fields, info_fields_of(template_yaml, job.shape.overrides));
  fields.insert(fields.end(), document.fields().begin(), document.fields().end());
  TRY_VOID(c.execute("UPDATE job_files SET text = ? WHERE job_id = ? AND name = 'crawl.yaml'",
                     sql::Values(with_info_fields(crawl_yaml, fields), job.id)));
  return c.execute(
      "INSERT INTO job_files (job_id, name, text) VALUES (?, ?, ?) ON CONFLICT (job_id, name) DO UPDATE SET "
      "text = excluded.text",
      sql::Values(job.id, kHarvestInfo, document.finish()));
}

}  // namespace caddis::harvest
