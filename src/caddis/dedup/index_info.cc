#include "caddis/dedup/index_info.h"

#include <fmt/format.h>

#include <charconv>

#include "caddis/base/hash.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/dedup/payload_digest.h"

namespace caddis::dedup {
namespace {

std::string without_controls(std::string_view text) {
  std::string clean;
  for (const char c : text)
    clean +=
        static_cast<unsigned char>(c) < ' ' || c == '%' ? '%' + to_hex(std::string_view(&c, 1)) : std::string(1, c);
  return clean;
}

std::string with_controls(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = text[i] == '%' ? from_hex(text.substr(i + 1, 2)) : std::nullopt;
    if (byte && byte->size() == 1) {
      plain += *byte;
      i += 2;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

// The text up to the next blank, which is taken away with it.
std::string_view take_word(std::string_view& text) {
  const size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

template <class Number>
Result<void> take_number(std::string_view& text, Number& number) {
  const std::string_view word = take_word(text);
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (problem != std::errc() || end != word.data() + word.size())
    return fail(ErrorCode::corrupt, "'" + std::string(word) + "' where a number should stand");
  return {};
}

Result<void> take_date(std::string_view& text, WallTime& date) {
  const auto parsed = parse_w3c_date(take_word(text));
  if (!parsed) return fail(ErrorCode::corrupt, parsed.error().message);
  date = *parsed;
  return {};
}

std::string section_line(std::string_view name, const Section& section) {
  return fmt::format("{} {} {} {:08x}\n", name, section.offset, section.size, section.checksum);
}

Result<void> take_section(std::string_view text, Section& section) {
  TRY_VOID(take_number(text, section.offset));
  TRY_VOID(take_number(text, section.size));
  const auto raw = from_hex(text);
  if (!raw || raw->size() != sizeof section.checksum) return fail(ErrorCode::corrupt, "no checksum behind a section");
  section.checksum = 0;
  for (const char c : *raw) section.checksum = section.checksum << 8 | static_cast<unsigned char>(c);
  return {};
}

Result<void> take_source(std::string_view text, IndexInfo& info) {
  SourceFile source;
  TRY_VOID(take_number(text, source.stamp.size));
  TRY_VOID(take_date(text, source.stamp.modified));
  source.name = with_controls(text);
  info.sources.push_back(std::move(source));
  return {};
}

Section* section_of(IndexInfo& info, std::string_view name) {
  if (name == "blocks") return &info.blocks;
  if (name == "directory") return &info.directory;
  if (name == "dictionary") return &info.dictionary;
  if (name == "table") return &info.table;
  return name == "buckets" ? &info.buckets : nullptr;
}

uint64_t* count_of(IndexInfo& info, std::string_view name) {
  if (name == "originals") return &info.originals;
  if (name == "digests") return &info.digests;
  return name == "entries" ? &info.entries : nullptr;
}

Result<void> take_line(std::string_view line, IndexInfo& info) {
  std::string_view rest = line;
  const std::string_view name = take_word(rest);
  if (name == "digest") {
    const auto algorithm = algorithm_from_name(rest);
    if (!algorithm) return fail(ErrorCode::unsupported, "the digest algorithm '" + std::string(rest) + "' is unknown");
    info.algorithm = *algorithm;
    return {};
  }
  if (name == "rules") {
    info.rules = rest;
    return {};
  }
  if (name == "first") return take_date(rest, info.first);
  if (name == "last") return take_date(rest, info.last);
  if (name == "bucket-bits") return take_number(rest, info.bucket_bits);
  if (name == "source") return take_source(rest, info);
  if (Section* const section = section_of(info, name)) return take_section(rest, *section);
  if (uint64_t* const count = count_of(info, name)) return take_number(rest, *count);
  return fail(ErrorCode::corrupt, "the unknown line '" + std::string(line) + "'");
}

}  // namespace

std::string info_text(const IndexInfo& info) {
  std::string text = fmt::format("digest {}\nrules {}\noriginals {}\ndigests {}\nentries {}\n",
                                 io::to_string(info.algorithm), info.rules, info.originals, info.digests, info.entries);
  text += fmt::format("first {}\nlast {}\nbucket-bits {}\n", rfc3339_micros(info.first), rfc3339_micros(info.last),
                      info.bucket_bits);
  text += section_line("blocks", info.blocks) + section_line("directory", info.directory);
  text += section_line("dictionary", info.dictionary) + section_line("table", info.table);
  text += section_line("buckets", info.buckets);
  for (const SourceFile& source : info.sources)
    text += fmt::format("source {} {} {}\n", source.stamp.size, rfc3339_micros(source.stamp.modified),
                        without_controls(source.name));
  return text;
}

Result<IndexInfo> parse_info(std::string_view text) {
  IndexInfo info;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) return fail(ErrorCode::corrupt, "a line without end");
    TRY_VOID(take_line(text.substr(0, end), info));
    text.remove_prefix(end + 1);
  }
  return info;
}

uint32_t key_hash(std::string_view url_key) { return static_cast<uint32_t>(siphash(url_key, 0, 0)); }

std::vector<SourceFile> changed_sources(io::Files& files, const IndexInfo& info) {
  std::vector<SourceFile> changed;
  for (const SourceFile& source : info.sources) {
    const auto now = io::stamp_of(files, source.name);
    if (!now || *now != source.stamp) changed.push_back(source);
  }
  return changed;
}

}  // namespace caddis::dedup
