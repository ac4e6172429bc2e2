// Deduplication of archive files after the fact: responses and resources whose payload is stored already become revisit
// records.
//
//   TRY(auto known, KnownPayloads::create(files, folder, {strategy, memory}));
//   for (file : all) TRY_VOID(learn_payloads(files, file, options, *known));
//   TRY_VOID(known->finish());
//   for (file : all) TRY(report, dedup_file(files, file, new_name, options, *known));
//
// Both passes read every payload and verify its digests; what does not hold is neither dropped nor referred to. Different
// files may be worked on by different threads at once.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "caddis/base/error.h"
#include "caddis/dedup/settings.h"
#include "caddis/io/files.h"
#include "caddis/revisits/file_rewrite.h"
#include "caddis/revisits/known_payloads.h"

namespace caddis::revisits {

struct DedupOptions {
  dedup::DedupSettings which;  // min-size and leave-out: other payloads are neither dropped nor referred to
  RewriteOptions how;
};

struct DedupReport : RewriteReport {
  uint64_t payloads = 0;   // that were looked up
  uint64_t revisits = 0;   // of them, made anew
  uint64_t saved = 0;      // bytes of payloads that the new file does not have
  uint64_t uncertain = 0;  // responses that are copied since their digests or their chunks do not hold
};

// ErrorCode::corrupt if the file is damaged, unsupported for ARC files.
Result<void> learn_payloads(io::Files& files, const std::string& file, const DedupOptions& options,
                            KnownPayloads& known);

// ErrorCode as rewrite_file.
Result<DedupReport> dedup_file(io::Files& files, const std::string& from, const std::string& to,
                               const DedupOptions& options, const KnownPayloads& known);

}  // namespace caddis::revisits
