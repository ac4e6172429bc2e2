// Two kinds of indexes are asked. That of the files themselves is by the identity of payloads (payload_meter.h), and of
// each class of captures that are alike its earliest is the original. Those of other collections are by the digests that
// records tell. An original there counts only if it is no later than the capture. It may be a record of the files, too,
// if a collection is held against its own files: such a record stays as it is, since others may find it there.
#include "caddis/revisits/known_payloads.h"

#include <chrono>
#include <utility>

#include "caddis/dedup/capture_filter.h"
#include "caddis/dedup/index_builder.h"
#include "caddis/dedup/payload_digest.h"
#include "caddis/dedup/sources.h"
#include "caddis/io/digest.h"
#include "caddis/warc/digest_field.h"
#include "caddis/warc/reader.h"
#include "caddis/warc/source.h"

namespace caddis::revisits {

using dedup::DigestIndex;
using dedup::Match;
using dedup::Original;
using dedup::Strategy;

namespace {

constexpr std::string_view kLock = ".lock", kOwn = ".digests", kElsewhere = ".against.digests",
                           kResponses = ".against-responses.digests", kResources = ".against-resources.digests";

// Indexes made of CDX files have seconds only.
WallTime second_of(WallTime time) { return std::chrono::floor<std::chrono::seconds>(time); }

bool is_better(const Match& match, const std::optional<Match>& than) {
  if (!than || match.likeness != than->likeness) return !than || match.likeness < than->likeness;
  return match.original.date < than->original.date;
}

Result<Original> original_at(const warc::Header& header) {
  TRY(const WallTime date, header.date());
  return Original{std::string(header.target_uri()), date, std::string(header.get("WARC-Record-ID")), {}, {}};
}

}  // namespace

struct KnownPayloads::Asked {
  std::string url;
  std::string digest;  // in the form that indexes are asked in
  WallTime date;
  bool is_resource = false;

  bool is_itself(const Match& match) const {
    return match.original.url == url && second_of(match.original.date) == second_of(date);
  }
  bool is_later(const Match& match) const { return match.original.date > date; }
};

KnownPayloads::KnownPayloads(io::Files& files, std::string folder, KnownPayloadsOptions options)
    : files_(files), folder_(std::move(folder)), options_(std::move(options)) {}

std::string KnownPayloads::path(std::string_view end) const {
  return io::join_path(folder_, ".caddis-dedup" + std::string(end));
}

dedup::WriterOptions KnownPayloads::writer_options() const {
  dedup::WriterOptions options;
  options.memory = options_.memory;
  if (options_.key) options.key = *options_.key;
  return options;
}

Result<std::unique_ptr<KnownPayloads>> KnownPayloads::create(io::Files& files, const std::string& folder,
                                                             KnownPayloadsOptions options) {
  std::unique_ptr<KnownPayloads> made(new KnownPayloads(files, folder, std::move(options)));
  TRY(made->lock_, files.lock(made->path(kLock), "caddis warc dedup"));
  dedup::WriterOptions own = made->writer_options();
  own.algorithm = io::DigestAlgorithm::sha256;
  made->writer_ = std::make_unique<dedup::DigestIndexWriter>(files, made->path(kOwn), own);
  return made;
}

KnownPayloads::~KnownPayloads() {
  index_.reset();
  elsewhere_.clear();
  writer_.reset();
  if (lock_ == nullptr) return;
  for (const std::string_view end : {kOwn, kElsewhere, kResponses, kResources})
    if (files_.exists(path(end))) (void)files_.remove(path(end));
  (void)files_.remove(path(kLock));
}

Result<void> KnownPayloads::add_elsewhere(const std::string& place) {
  if (!files_.is_directory(place)) {
    TRY(const dedup::SourceKind kind, dedup::kind_of(files_, place));
    if (kind != dedup::SourceKind::digest_index) {
      to_build_.push_back(place);
      return {};
    }
    return open_elsewhere(place);
  }
  TRY(const auto sources, dedup::find_sources(files_, place));
  to_build_.insert(to_build_.end(), sources.begin(), sources.end());
  return {};
}

Result<void> KnownPayloads::add(const warc::Header& header, const MeteredPayload& payload) {
  TRY(const Original original, original_at(header));
  const std::lock_guard lock(mutex_);
  return writer_->add(payload.identity, original);
}

Result<void> KnownPayloads::finish() {
  TRY_VOID(writer_->finish());
  writer_.reset();
  TRY(index_, DigestIndex::open(files_, path(kOwn)));
  std::vector<std::string> archives, indexes;
  for (const std::string& source : to_build_) {
    TRY(const dedup::SourceKind kind, dedup::kind_of(files_, source));
    (kind == dedup::SourceKind::archive ? archives : indexes).push_back(source);
  }
  if (!indexes.empty()) TRY_VOID(build_elsewhere(indexes));
  return archives.empty() ? Result<void>() : read_elsewhere(archives);
}

Result<void> KnownPayloads::build_elsewhere(const std::vector<std::string>& indexes) {
  TRY(auto filter, dedup::CaptureFilter::create({.any_status = true, .include_mime = {}, .exclude_mime = {}}));
  dedup::IndexBuilder builder(files_, path(kElsewhere), writer_options(), std::move(filter));
  for (const std::string& source : indexes)
    if (auto added = builder.add(source); !added) return pass(std::move(added).error(), source);
  TRY_VOID(builder.finish());
  return open_elsewhere(path(kElsewhere));
}

// A payload is dropped for them, so they are looked at as closely as the records of the files.
Result<void> KnownPayloads::read_elsewhere(const std::vector<std::string>& archives) {
  dedup::WriterOptions options = writer_options();
  options.memory /= 2;
  dedup::DigestIndexWriter responses(files_, path(kResponses), options), resources(files_, path(kResources), options);
  for (const std::string& archive : archives)
    if (auto read = read_archive(archive, responses, resources); !read) return pass(std::move(read).error(), archive);
  TRY_VOID(responses.finish());
  TRY_VOID(resources.finish());
  TRY_VOID(open_elsewhere(path(kResponses)));
  return open_elsewhere(path(kResources), true);
}

Result<void> KnownPayloads::read_archive(const std::string& archive, dedup::DigestIndexWriter& responses,
                                         dedup::DigestIndexWriter& resources) const {
  TRY(const auto file, files_.open_read(archive));
  const warc::FileSource source(*file);
  warc::Reader reader(source);
  PayloadMeter meter;
  for (;;) {
    TRY(warc::Record* const record, reader.next());
    (void)reader.take_findings();
    if (record == nullptr) return {};
    if (!is_whole_capture(record->header())) continue;
    TRY(const MeteredPayload payload, measure(*record, meter, nullptr));
    const auto field = warc::parse_digest_field(payload.digest);
    if (!payload.flaw.empty() || !field || field->algorithm != dedup::WriterOptions().algorithm) continue;
    TRY(const Original original, original_at(record->header()));
    TRY_VOID((is_resource(record->header()) ? resources : responses).add(field->raw, original));
  }
}

Result<void> KnownPayloads::open_elsewhere(const std::string& path, bool is_of_resources) {
  TRY(auto index, options_.key ? DigestIndex::open(files_, path, *options_.key) : DigestIndex::open(files_, path));
  elsewhere_.push_back({std::move(index), is_of_resources});
  return {};
}

// The best of an index; for url_preferred, if that is too late, the earliest at all.
Result<std::optional<Match>> KnownPayloads::find_elsewhere(const DigestIndex& index, const Asked& asked) const {
  const dedup::Question question{.digest = asked.digest, .url = asked.url, .url_key = {}};
  TRY(auto match, index.find(options_.strategy, question));
  if (match && options_.strategy == Strategy::url_preferred && asked.is_later(*match) && !asked.is_itself(*match)) {
    TRY(match, index.find(Strategy::any, question));
  }
  return match;
}

Result<std::optional<Match>> KnownPayloads::best_elsewhere(const Asked& asked) const {
  std::optional<Match> best;
  for (const Elsewhere& other : elsewhere_) {
    if (other.is_of_resources != asked.is_resource) continue;
    TRY(auto match, find_elsewhere(*other.index, asked));
    if (!match) continue;
    if (asked.is_itself(*match)) return match;
    if (!asked.is_later(*match) && is_better(*match, best)) best = std::move(match);
  }
  return best;
}

Result<std::optional<Original>> KnownPayloads::original_of(const warc::Header& header,
                                                           const MeteredPayload& payload) const {
  TRY(const WallTime date, header.date());
  Asked asked{std::string(header.target_uri()), {}, date, is_resource(header)};
  if (const auto field = warc::parse_digest_field(payload.digest))
    asked.digest = dedup::digest_text(field->algorithm, field->raw);
  if (!elsewhere_.empty() && !asked.digest.empty()) {
    TRY(auto match, best_elsewhere(asked));
    if (match && asked.is_itself(*match)) return std::nullopt;
    if (match) return std::move(match->original);
  }
  // The class of what is alike by digest is that of the digest, whatever the URL.
  const Strategy strategy = options_.strategy == Strategy::url_preferred ? Strategy::any : options_.strategy;
  const std::string identity = dedup::digest_text(io::DigestAlgorithm::sha256, payload.identity);
  TRY(auto match, index_->find(strategy, {.digest = identity, .url = asked.url, .url_key = {}}));
  if (!match) return std::nullopt;
  const Original& original = match->original;
  const bool is_itself = original.record_id.empty() ? original.url == asked.url && original.date == date
                                                    : original.record_id == header.get("WARC-Record-ID");
  if (is_itself) return std::nullopt;
  return std::move(match->original);
}

}  // namespace caddis::revisits
