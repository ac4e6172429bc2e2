#include "caddis/harvestserver/job_fetch.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caddis/base/json_text.h"
#include "caddis/base/log.h"
#include "caddis/base/percent.h"
#include "caddis/config/canonicalization_settings.h"
#include "caddis/config/settings.h"
#include "caddis/config/settings_file.h"
#include "caddis/dedup/digest_index.h"
#include "caddis/harvest/job_files.h"
#include "caddis/harvest/templates.h"
#include "caddis/harvestserver/store.h"

namespace caddis::harvestserver {
namespace {

constexpr int64_t kPiece = 8 << 20;
constexpr int kMostCopies = 20;

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

// The server may answer otherwise a moment later.
bool is_passing(int status) { return status == 429 || status == 502 || status == 503 || status == 504; }

// As the crawl will read them. Without them the launch says what is wrong with its settings.
std::optional<config::Settings> settings_of_crawl(const engine::JobWorld& world, const std::string& folder) {
  config::Settings settings;
  if (world.own_settings && !world.own_settings(settings)) return std::nullopt;
  if (!config::load_settings_file(world.files, folder + "/crawl.yaml", settings)) return std::nullopt;
  return settings;
}

}  // namespace

std::string JobFetch::path(std::string_view rest) const {
  return fmt::format("/api/harvesters/{}/{}", percent_encoded(harvester_), rest);
}

Result<bool> JobFetch::fetch(const std::string& folder, bool is_last, const GoesOn& goes_on) {
  TRY_VOID(files_.make_dirs(folder + "/template"));
  for (const std::string& name : order_.files) {
    if (name.contains('/') || name.starts_with('.'))
      return fail(ErrorCode::parse, fmt::format("'{}' is no file", name));
    if (name != harvest::kEarlierJobs) TRY_VOID(write_file(folder, name));
  }
  if (const auto settings = settings_of_crawl(world_, folder)) {
    if (const auto keys = config::key_policies(settings->canonicalization)) key_ = dedup::index_key_by(keys->index);
    named_ = settings->dedup.against;
  }
  TRY(const bool has_earlier, fetch_earlier(folder, is_last, goes_on));
  if (!has_earlier) return false;
  TRY_VOID(name_earlier(folder));
  return goes_on();
}

// Templates name files in their own folder.
Result<void> JobFetch::write_file(const std::string& folder, const std::string& name) const {
  const std::string target = path(fmt::format("jobs/{}/files/{}", order_.job, percent_encoded(name)));
  TRY(std::string text, ask(link_, {.method = "GET", .target = target}));
  if (name == harvest::kEarlierJobs) {
    auto jobs = harvest::read_earlier_jobs(text);
    std::erase_if(jobs, [&](int64_t job) { return std::ranges::count(trouble_.left_out, job) > 0; });
    text = harvest::earlier_jobs_text(jobs);
  }
  text = replaced(std::move(text), harvest::kTemplateFolder, folder + "/template");
  if (name == "crawl.yaml") text = replaced(std::move(text), harvest::kJobFolder, folder);
  TRY_VOID(files_.write_atomically_private(fmt::format("{}/{}", folder, name), text));
  if (name == "crawl.yaml") return {};
  return files_.write_atomically_private(fmt::format("{}/template/{}", folder, name), text);
}

// Once it is known which of them the crawl can use: its settings name their indexes, and a file of the job the jobs.
Result<void> JobFetch::name_earlier(const std::string& folder) const {
  const std::string jobs(harvest::kEarlierJobs), yaml = folder + "/crawl.yaml";
  if (std::ranges::count(order_.files, jobs) > 0) TRY_VOID(write_file(folder, jobs));
  if (known_.empty()) return {};
  TRY(const std::string text, files_.read_all(yaml));
  return files_.write_atomically_private(yaml, text + against());
}

std::string JobFetch::against() const {
  if (known_.empty()) return {};
  std::string yaml = "dedup:\n  against:\n";
  for (const auto* const indexes : {&named_, &known_}) {
    for (const std::string& index : *indexes) {
      yaml += "    - ";
      append_json_string(yaml, index);
      yaml += '\n';
    }
  }
  return yaml;
}

Result<bool> JobFetch::fetch_earlier(const std::string& folder, bool is_last, const GoesOn& goes_on) {
  if (order_.earlier.empty()) return true;
  TRY_VOID(files_.make_dirs(folder + "/known"));
  const auto tell = [&](std::string words) {
    log_warn("harvester", "job {}: {}", order_.job, words);
    if (!trouble_.words.empty()) trouble_.words += "; ";
    trouble_.words += words;
  };
  std::vector<int64_t> lacking;
  for (const EarlierFile& file : order_.earlier) {
    TRY(const bool more, goes_on());
    if (!more) return false;
    const std::string to = fmt::format("{}/known/{}", folder, io::base_name(file.name));
    auto got = fetch_index(file, to, goes_on);
    if (!got && !is_last) return std::unexpected(std::move(got).error());
    if (got && !*got) return false;
    const bool is_whole = got && (*got)->state == CopyState::whole;
    const std::string why = got ? (*got)->why : got.error().message;
    if (!why.empty()) trouble_.damaged.push_back(file.name);
    const std::string unusable = is_whole ? why_unusable(to) : std::string();
    if (is_whole && unusable.empty()) {
      known_.push_back(to);
      used_.push_back(file.job);
      if (!why.empty())
        tell(fmt::format("the digests of job {} come from a replica: {}: {}", file.job, file.name, why));
      continue;
    }
    if (files_.exists(to)) TRY_VOID(files_.remove(to));
    lacking.push_back(file.job);
    tell(fmt::format("the payloads of job {} may be stored again: its digests cannot be {}: {}: {}", file.job,
                     unusable.empty() ? "had" : "used", file.name, unusable.empty() ? why : unusable));
  }
  for (const int64_t job : lacking)
    if (std::ranges::count(used_, job) == 0) trouble_.left_out.push_back(job);
  return true;
}

// Why the crawl could not open an index that is whole; without words if it can.
std::string JobFetch::why_unusable(const std::string& index) const {
  if (!key_) return {};
  const auto open = dedup::DigestIndex::open(files_, index, *key_);
  if (open) return {};
  return open.error().code == ErrorCode::conflict ? "canonicalization.index was another one then"
                                                  : open.error().message;
}

// From the archive; if it cannot be had there or is not whole, from the replicas in their order. An error: it may be had a
// moment later. Nothing if there is no more need.
Result<std::optional<JobFetch::Copy>> JobFetch::fetch_index(const EarlierFile& file, const std::string& to,
                                                            const GoesOn& goes_on) {
  if (files_.exists(to)) {
    TRY(const std::string digest, sha256_of(files_, to));
    if (digest == file.sha256) return Copy{.state = CopyState::whole};
  }
  std::string why;
  bool is_one_away = false;
  for (int copy = 0; copy < kMostCopies; ++copy) {
    TRY(const Copy got, fetch_copy(file, copy, to));
    if (got.state == CopyState::no_store) break;
    if (got.state == CopyState::whole) return Copy{.state = CopyState::whole, .why = std::move(why)};
    is_one_away |= got.state == CopyState::away;
    if (!why.empty()) why += ", ";
    why += fmt::format("{}: {}", copy == 0 ? "in the archive" : fmt::format("in replica {}", copy), got.why);
    TRY(const bool more, goes_on());
    if (!more) return std::nullopt;
  }
  if (is_one_away) return fail(ErrorCode::io, std::move(why));
  return Copy{.why = std::move(why)};
}

// Copy 0 is that of the archive.
Result<JobFetch::Copy> JobFetch::fetch_copy(const EarlierFile& file, int copy, const std::string& to) const {
  if (files_.exists(to)) TRY_VOID(files_.remove(to));
  TRY(const auto out, files_.open_append(to));
  std::string target = path(fmt::format("stored/{}/{}", file.job, percent_encoded(file.name)));
  if (copy > 0) target += fmt::format("?copy={}", copy);
  for (int64_t at = 0; at < file.bytes; at += kPiece) {
    const int64_t end = std::min(file.bytes, at + kPiece) - 1;
    const auto answer = link_({.method = "GET", .target = target, .range = fmt::format("bytes={}-{}", at, end)});
    if (!answer) return Copy{.state = CopyState::away, .why = answer.error().message};
    if (answer->status / 100 != 2)
      return Copy{.state = is_passing(answer->status)          ? CopyState::away
                           : copy > 0 && answer->status == 400 ? CopyState::no_store
                                                               : CopyState::flawed,
                  .why = fmt::format("the server answers {}", answer->status)};
    TRY_VOID(out->append(answer->body));
  }
  TRY(const std::string digest, sha256_of(files_, to));
  if (digest == file.sha256) return Copy{.state = CopyState::whole};
  return Copy{.why = "it has another digest"};
}

// An older server does not want to know.
Result<void> JobFetch::tell_trouble() const {
  TRY(const LinkAnswer answer,
      link_({.method = "POST", .target = path(fmt::format("jobs/{}/earlier", order_.job)), .body = to_json(trouble_)}));
  if (is_passing(answer.status)) return fail(ErrorCode::io, "the server cannot be told which digests were left out");
  return {};
}

}  // namespace caddis::harvestserver
