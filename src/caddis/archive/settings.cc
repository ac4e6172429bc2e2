#include "caddis/archive/settings.h"

#include "caddis/archive/file_names.h"

namespace caddis::settings {

template <>
const Schema& schema_of<archive::ArchiveSettings>() {
  using S = archive::ArchiveSettings;
  static const Schema schema(
      "archive",
      "How captures are written into WARC files. A change while the crawl runs counts from the next file, or visit, "
      "on.",
      {
          field<&S::prefix>("prefix", "What the names of WARC files begin with.",
                            {.flags = kLive, .check = file_name_part, .heritrix = "warcWriter.prefix"}),
          field<&S::name_template>(
              "name-template",
              "The name of a WARC file without its ending; {prefix}, {timestamp12}, {timestamp14}, {timestamp17}, "
              "{serialno}, {pid}, {host} and {port} (of --listen, or 0) stand for their values. Heritrix's "
              "${prefix}, ${heritrix.hostname} and so on are understood, too.",
              {.flags = kLive | kExpert, .check = archive::check_name_template, .heritrix = "warcWriter.template"}),
          field<&S::max_file_size>(
              "max-file-size", "A new WARC file is begun when one has grown to this size.",
              {.flags = kLive, .unit = kBytes, .min = "1MB", .max = "1TB", .heritrix = "warcWriter.maxFileSizeBytes"}),
          field<&S::compression>("compression", "How much processor time the compression of records may cost.",
                                 {.flags = kSheet | kLive,
                                  .choices = {choice("fast", archive::CompressionChoice::fast),
                                              choice("small", archive::CompressionChoice::small)}}),
          field<&S::outlinks>("outlinks", "Write the links found in a page into its metadata record.",
                              {.flags = kSheet | kLive}),
          field<&S::host_name>("host-name",
                               "The name of the crawling machine in names of WARC files and in the warcinfo record; "
                               "empty: the one that the system gives it.",
                               {.flags = kLive, .check = file_name_part}),
          field<&S::operator_name>("operator", "Who crawls: a person or organisation, for the warcinfo record.",
                                   {.flags = kLive, .heritrix = "metadata.operator"}),
          field<&S::description>("description", "What is crawled and why, for the warcinfo record.",
                                 {.flags = kLive, .check = free_text, .heritrix = "metadata.description"}),
          field<&S::is_part_of>("is-part-of", "The collection that the files belong to, for the warcinfo record.",
                                {.flags = kLive}),
      });
  return schema;
}

}  // namespace caddis::settings
