// Handlers of the control API that are about the crawl as a whole: what it does, whether it goes on, its settings and
// checkpoints (api/openapi.yaml). Each returns a document as JSON.
//
// On the crawl's loop.
#pragma once

#include <string>

#include "caddis/aio/task.h"
#include "caddis/base/error.h"
#include "caddis/control/router.h"
#include "caddis/crawl/operator.h"

namespace caddis::control {

Result<std::string> tell_status(crawl::Operator& crawl, const Call& call);
aio::Task<Result<std::string>> list_visits(crawl::Operator& crawl, Call call);
Result<std::string> pause(crawl::Operator& crawl, const Call& call);
// ErrorCode::conflict if a limit is reached at which the crawl pauses.
Result<std::string> resume(crawl::Operator& crawl, const Call& call);
Result<std::string> stop(crawl::Operator& crawl, const Call& call);
Result<std::string> tell_settings(crawl::Operator& crawl, const Call& call);
Result<std::string> tell_sheets(crawl::Operator& crawl, const Call& call);
// To be awaited before the next two: what they need of the seeds is made to be known.
aio::Task<void> prepare_change(crawl::Operator& crawl, Call call);
aio::Task<void> prepare_unset(crawl::Operator& crawl, Call call);
Result<std::string> change_settings(crawl::Operator& crawl, const Call& call);
Result<std::string> unset_settings(crawl::Operator& crawl, const Call& call);
Result<std::string> explain_scope(crawl::Operator& crawl, const Call& call);
// Returns when the checkpoint is on disk.
aio::Task<Result<std::string>> take_checkpoint(crawl::Operator& crawl, Call call);

}  // namespace caddis::control
