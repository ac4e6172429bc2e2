#include "caddis/extract/settings.h"

namespace caddis::settings {

template <>
const Schema& schema_of<extract::Options>() {
  using S = extract::Options;
  static const Schema schema(
      "extract", "Which links of a document are followed.",
      {
          field<&S::max_links>(
              "max-links", "Links taken from one document.",
              {.flags = kSheet | kLive, .min = "0", .max = "1000000", .heritrix = "frontier.maxOutlinks"}),
          field<&S::max_sitemap_links>("max-sitemap-links", "Links taken from one sitemap.",
                                       {.flags = kSheet | kLive, .min = "0", .max = "1000000"}),
          field<&S::max_length>("max-length",
                                "Look for links in so much of a document (of a sitemap, in up to 64 MB); one with more "
                                "is archived whole, "
                                "and readTrunc in crawl.log says so.",
                                {.flags = kSheet | kLive, .unit = kBytes, .min = "64KB", .max = "1GB"}),
          field<&S::max_url_length>("max-url-length", "Longer URLs are no links.",
                                    {.flags = kSheet | kLive | kExpert, .min = "64", .max = "65536"}),
          field<&S::javascript>("javascript", "Take strings in scripts that are surely URLs.",
                                {.flags = kSheet | kLive, .heritrix = "extractorHtml.extractJavascript"}),
          field<&S::value_attributes>("value-attributes", "Take value attributes that are surely URLs.",
                                      {.flags = kSheet | kLive, .heritrix = "extractorHtml.extractValueAttributes"}),
          field<&S::forms>("forms", "Take the targets of forms.", {.flags = kSheet | kLive}),
          field<&S::only_get_forms>("only-get-forms", "Of forms, only those that are sent by GET.",
                                    {.flags = kSheet | kLive, .heritrix = "extractorHtml.extractOnlyFormGets"}),
          field<&S::frames_as_embeds>("frames-as-embeds", "Treat frames as parts of the page, not as links.",
                                      {.flags = kSheet | kLive, .heritrix = "extractorHtml.treatFramesAsEmbedLinks"}),
          field<&S::obey_rel_nofollow>("obey-rel-nofollow", "Leave out links marked rel=nofollow.",
                                       {.flags = kSheet | kLive, .heritrix = "extractorHtml.obeyRelNofollow"}),
          field<&S::obey_meta_nofollow>("obey-meta-nofollow",
                                        "What says nofollow has no links: a page by its robots meta element, any "
                                        "document by X-Robots-Tag.",
                                        {.flags = kSheet | kLive}),
          field<&S::not_found_pages>("not-found-pages", "Look for links in pages that come with 404, too.",
                                     {.flags = kSheet | kLive, .heritrix = "frontier.extract404s"}),
          field<&S::favicon>("favicon", "Ask every site for /favicon.ico.", {.flags = kSheet | kLive}),
      });
  return schema;
}

}  // namespace caddis::settings
