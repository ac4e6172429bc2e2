#include "caddis/archive/settings.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/archive/file_names.h"
#include "caddis/archive/writer_spec.h"
#include "caddis/base/visible.h"

namespace caddis::archive {
namespace {

Result<void> sound_writer(std::string_view text) {
  TRY([[maybe_unused]] const WriterSpec spec, WriterSpec::parse(text));
  return {};
}

Result<void> sound_folder(std::string_view text) {
  TRY_VOID(settings::single_line(text));
  if (!text.empty() && !text.contains("..")) return {};
  return fail(ErrorCode::config, fmt::format("'{}' is no folder: write its whole path, or one within the collection",
                                             visible(text, kQuoted)));
}

Result<void> info_field(std::string_view text) {
  const size_t end = text.find(": ");
  const std::string_view name = text.substr(0, end);
  const bool is_name =
      !name.empty() && std::ranges::all_of(name, [](char c) { return c > ' ' && c < 0x7f && c != ':'; });
  if (end != std::string_view::npos && is_name && settings::single_line(text)) return {};
  return fail(ErrorCode::config,
              fmt::format("'{}' is no field: write it as \"NAME: VALUE\", on one line", visible(text, kQuoted)));
}

}  // namespace

Result<void> validate(const ArchiveSettings& settings) {
  auto chain = writer_chain(settings.writers);
  if (!chain) return pass(std::move(chain).error(), "archive.writers");
  const bool packs_arc_by_zstd =
      settings.packing == warc::Packing::zstd &&
      std::ranges::any_of(*chain, [](const WriterSpec& spec) { return spec.kind == WriterKind::arc && !spec.packing; });
  if (packs_arc_by_zstd)
    return fail(ErrorCode::config,
                "archive.packing: ARC files are not packed by zstd: write 'arc, packing gzip' into archive.writers");
  return {};
}

}  // namespace caddis::archive

namespace caddis::settings {

template <>
const Schema& schema_of<archive::ArchiveSettings>() {
  using S = archive::ArchiveSettings;
  static const Schema schema(
      "archive",
      "How captures are written into archive files. A change while the crawl runs counts from the next file, or visit, "
      "on.",
      {
          field<&S::writers>(
              "writers",
              "Who writes captures, in order: [NAME:] warc, arc (ARC 1.1) or mirror (documents as plain files), and "
              "behind commas 'prefix TEXT', 'folder PATH', 'packing gzip|zstd|none', 'on-failure pause|stop|go-on'. "
              "Guards choose what a writer writes: pipeline.guard: [\"writer mirror: mime ^image/\"]. The index names "
              "the captures of the first writer of WARC or ARC that takes them.",
              {.check = archive::sound_writer}),
          field<&S::folders>("folders",
                             "More folders for archive files, used in turn with the collection's own: whole paths, or "
                             "such within the collection.",
                             {.flags = kLive, .check = archive::sound_folder}),
          field<&S::prefix>("prefix", "The begin of the names of archive files. Each prefix has files of its own.",
                            {.flags = kSheet | kLive, .check = file_name_part, .heritrix = "warcWriter.prefix"}),
          field<&S::name_template>(
              "name-template",
              "The name of an archive file without its ending; {prefix}, {timestamp12}, {timestamp14}, {timestamp17}, "
              "{serialno}, {pid}, {host}, {fqdn} (the host's name with its domain) and {port} (of --listen, or 0) "
              "stand "
              "for their values. Heritrix's ${prefix}, ${heritrix.hostname} and so on are understood, too.",
              {.flags = kLive | kExpert, .check = archive::check_name_template, .heritrix = "warcWriter.template"}),
          field<&S::max_file_size>(
              "max-file-size", "A new archive file is begun when one has grown to this size.",
              {.flags = kLive, .unit = kBytes, .min = "1MB", .max = "1TB", .heritrix = "warcWriter.maxFileSizeBytes"}),
          field<&S::max_file_age>("max-file-age",
                                  "A file that was begun so long ago is closed, however small it is; 0s: it is not.",
                                  {.flags = kLive, .min = "0s", .max = "365d"}),
          field<&S::own_file_above>("own-file-above",
                                    "A capture whose records have more bytes gets a file of its own; 0: none does.",
                                    {.flags = kLive | kExpert, .unit = kBytes, .min = "0B", .max = "1TB"}),
          field<&S::packing>(
              "packing",
              "How records are packed: each by gzip or zstd, or not at all. zstd learns a dictionary from "
              "the first captures, and writes it into each later file.",
              {.choices = {choice("gzip", warc::Packing::gzip), choice("zstd", warc::Packing::zstd),
                           choice("none", warc::Packing::plain)}}),
          field<&S::compression>("compression",
                                 "How much processor time packing may cost: adaptive is small while processors idle, "
                                 "and fast while they are what the crawl waits for.",
                                 {.flags = kSheet | kLive,
                                  .choices = {choice("adaptive", archive::CompressionChoice::adaptive),
                                              choice("fast", archive::CompressionChoice::fast),
                                              choice("small", archive::CompressionChoice::small)}}),
          field<&S::warc_version>(
              "warc-version", "The version of the standard that WARC files follow.",
              {.choices = {choice("1.1", archive::WarcVersion::v1_1), choice("1.0", archive::WarcVersion::v1_0)}}),
          field<&S::digest>(
              "digest",
              "The algorithm of digests in records, logs and indexes. Payloads are known again only by "
              "digests of the same one.",
              {.choices = {choice("sha1", io::DigestAlgorithm::sha1), choice("sha256", io::DigestAlgorithm::sha256),
                           choice("md5", io::DigestAlgorithm::md5)},
               .heritrix = "fetchHttp.digestAlgorithm"}),
          field<&S::outlinks>("outlinks", "Write the links found in a page into its metadata record.",
                              {.flags = kSheet | kLive}),
          field<&S::host_name>("host-name",
                               "The name of the crawling machine in names of files and in the warcinfo record; "
                               "empty: the one that the system gives it.",
                               {.flags = kLive, .check = file_name_part}),
          field<&S::operator_name>("operator", "Who crawls: a person or organisation, for the warcinfo record.",
                                   {.flags = kLive, .heritrix = "metadata.operator"}),
          field<&S::description>("description", "What is crawled and why, for the warcinfo record.",
                                 {.flags = kLive, .check = free_text, .heritrix = "metadata.description"}),
          field<&S::is_part_of>("is-part-of", "The collection that the files belong to, for the warcinfo record.",
                                {.flags = kLive}),
          field<&S::organization>("organization", "The organisation that crawls, for the warcinfo record.",
                                  {.flags = kLive, .heritrix = "metadata.organization"}),
          field<&S::publisher>("publisher", "Who publishes the archive, for the warcinfo record.", {.flags = kLive}),
          field<&S::audience>("audience", "For whom the archive is, for the warcinfo record.",
                              {.flags = kLive, .heritrix = "metadata.audience"}),
          field<&S::info_fields>(
              "info-fields",
              "Further fields of the warcinfo record, each as \"NAME: VALUE\". They stand behind the others.",
              {.flags = kLive, .check = archive::info_field}),
      });
  return schema;
}

}  // namespace caddis::settings
