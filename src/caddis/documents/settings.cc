#include "caddis/documents/settings.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/base/visible.h"

namespace caddis::documents {

bool DocumentSettings::wants(Format format) const {
  return std::ranges::find(formats, to_string(format)) != formats.end();
}

}  // namespace caddis::documents

namespace caddis::settings {
namespace {

Result<void> known_format(std::string_view name) {
  if (documents::format_named(name)) return {};
  return fail(ErrorCode::config, fmt::format("there is no format '{}'; formats are {}", visible(name, kQuoted),
                                             fmt::join(documents::kFormatNames, ", ")));
}

}  // namespace

template <>
const Schema& schema_of<documents::DocumentSettings>() {
  using S = documents::DocumentSettings;
  static const Schema schema(
      "documents", "Which binary documents are searched for links, in a process of its own, and at what cost.",
      {
          field<&S::formats>("formats",
                             "Formats that are read: PDF, Office (ooxml: DOCX, XLSX, PPTX; odf: ODT, ODS, ODP; ole: "
                             "DOC, XLS, PPT), e-books, RTF and Flash. An empty list reads none.",
                             {.flags = kSheet | kLive, .check = known_format}),
          field<&S::max_size>("max-size",
                              "Larger documents are archived, and not read; nor is one that is larger than "
                              "extract.max-length.",
                              {.flags = kSheet | kLive,
                               .unit = kBytes,
                               .min = "64KB",
                               .max = "1GB",
                               .heritrix = "extractorPdf.maxSizeToParse"}),
          field<&S::max_links>("max-links", "Links taken from one document.",
                               {.flags = kSheet | kLive, .min = "0", .max = "1000000"}),
          field<&S::max_unpacked>("max-unpacked",
                                  "Read so much of a document's parts, which are packed within it; beyond it a "
                                  "document counts as failed.",
                                  {.flags = kSheet | kLive | kExpert, .unit = kBytes, .min = "1MB", .max = "4GB"}),
          field<&S::time_limit>("time-limit", "Give up a document that takes longer to read.",
                                {.flags = kLive | kExpert, .min = "1s", .max = "10m"}),
          field<&S::memory>("memory", "Memory for reading one document, beside that of the program itself.",
                            {.flags = kLive | kExpert, .unit = kBytes, .min = "64MB", .max = "16GB"}),
          field<&S::workers>("workers", "Processes that read documents at the same time, at most.",
                             {.flags = kLive | kExpert, .min = "1", .max = "64"}),
      });
  return schema;
}

}  // namespace caddis::settings
