#include "caddis/archive/writer_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/base/visible.h"
#include "caddis/settings/checks.h"

namespace caddis::archive {
namespace {

constexpr std::array<std::pair<std::string_view, WriterKind>, 3> kKinds{
    {{"warc", WriterKind::warc}, {"arc", WriterKind::arc}, {"mirror", WriterKind::mirror}}};
constexpr std::array<std::pair<std::string_view, warc::Packing>, 3> kPackings{
    {{"gzip", warc::Packing::gzip}, {"zstd", warc::Packing::zstd}, {"none", warc::Packing::plain}}};
constexpr std::array<std::pair<std::string_view, OnFailure>, 3> kPolicies{
    {{"pause", OnFailure::pause}, {"stop", OnFailure::stop}, {"go-on", OnFailure::go_on}}};

constexpr size_t kLongestName = 40;

std::unexpected<Error> no_writer(std::string_view text, std::string_view why) {
  return fail(
      ErrorCode::config,
      fmt::format("'{}' is no writer: {}; write [NAME:] warc, arc or mirror, and what differs behind commas, as "
                  "in 'pictures: warc, prefix PIC, on-failure go-on'",
                  visible(text, kQuoted), why));
}

template <class Value, size_t n>
std::optional<Value> find_value(const std::array<std::pair<std::string_view, Value>, n>& values,
                                std::string_view name) {
  for (const auto& [known, value] : values)
    if (known == name) return value;
  return std::nullopt;
}

bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

// Returns why the option is none; empty if it is one.
std::string take_option(WriterSpec& spec, std::string_view option) {
  const size_t blank = option.find(' ');
  const std::string_view key = option.substr(0, blank);
  const std::string_view value = blank == std::string_view::npos ? std::string_view() : trim(option.substr(blank));
  if (value.empty()) return fmt::format("'{}' has no value", visible(option, kQuoted));
  if (key == "prefix") {
    if (const auto sound = settings::file_name_part(value); !sound) return sound.error().message;
    spec.prefix = value;
  } else if (key == "folder") {
    spec.folder = value;
    while (spec.folder.size() > 1 && spec.folder.ends_with('/')) spec.folder.pop_back();
    if (spec.folder.contains("..")) return "a folder has no '..' in it";
  } else if (key == "packing") {
    spec.packing = find_value(kPackings, value);
    if (!spec.packing) return "packing is gzip, zstd or none";
  } else if (key == "on-failure") {
    const auto policy = find_value(kPolicies, value);
    if (!policy) return "on-failure is pause, stop or go-on";
    spec.on_failure = *policy;
  } else {
    return fmt::format("there is no option '{}'; options are prefix, folder, packing and on-failure",
                       visible(key, kQuoted));
  }
  return {};
}

// Returns why the options do not go together; empty if they do.
std::string contradiction_in(const WriterSpec& spec) {
  if (spec.kind == WriterKind::mirror && (spec.packing || !spec.prefix.empty()))
    return "a mirror has plain files under their own names: neither packing nor prefix";
  if (spec.kind == WriterKind::arc && spec.packing == warc::Packing::zstd)
    return "ARC files are packed by gzip, or not at all";
  return {};
}

}  // namespace

Result<WriterSpec> WriterSpec::parse(std::string_view text) {
  WriterSpec spec;
  std::string_view rest = text;
  const size_t comma = text.find(','), colon = text.find(':');
  if (colon < comma) {  // a colon behind the first comma belongs to an option
    spec.name = trim(rest.substr(0, colon));
    rest.remove_prefix(colon + 1);
  }
  bool is_kind = true;
  for (const std::string_view part : split(rest, ',')) {
    const std::string_view word = trim(part);
    if (!is_kind) {
      if (const std::string why = take_option(spec, word); !why.empty()) return no_writer(text, why);
      continue;
    }
    const auto kind = find_value(kKinds, word);
    if (!kind) return no_writer(text, fmt::format("there is no kind '{}'", visible(word, kQuoted)));
    spec.kind = *kind;
    if (colon >= comma) spec.name = word;
    is_kind = false;
  }
  if (!is_name(spec.name))
    return no_writer(text, fmt::format("a name has at most {} letters a to z, digits, '-' and '_'", kLongestName));
  if (const std::string why = contradiction_in(spec); !why.empty()) return no_writer(text, why);
  return spec;
}

Result<std::vector<WriterSpec>> writer_chain(const std::vector<std::string>& writers) {
  std::vector<WriterSpec> chain;
  for (const std::string& text : writers) {
    TRY(WriterSpec spec, WriterSpec::parse(text));
    if (std::ranges::find(chain, spec.name, &WriterSpec::name) != chain.end())
      return fail(
          ErrorCode::config,
          fmt::format("two writers are called {0}: give one of them another name, as in 'more: {0}'", spec.name));
    chain.push_back(std::move(spec));
  }
  if (chain.empty()) return fail(ErrorCode::config, "there is no writer, so that nothing would be archived: name warc");
  return chain;
}

std::string writer_step(std::string_view name) { return fmt::format("writer {}", name); }

std::string_view to_string(WriterKind kind) { return kKinds[static_cast<size_t>(kind)].first; }

}  // namespace caddis::archive
