#include "caddis/engine/job_requests.h"

#include "caddis/control/json_reader.h"

namespace caddis::engine {

Result<NewJob> read_new_job(std::string_view text) {
  control::JsonReader json(text);
  NewJob job;
  json.take("name", job.name);
  json.take("profile", job.profile);
  json.take("job", job.job);
  json.take("urls", job.urls);
  return json.finish(std::move(job));
}

Result<JobOrder> read_order(std::string_view text, JobOrder order) {
  if (text.empty()) return order;
  control::JsonReader json(text);
  switch (order.action) {
    case JobAction::launch:
    case JobAction::resume:
      json.take("paused", order.launch.paused);
      json.take("checkpoint", order.launch.checkpoint);
      break;
    case JobAction::checkpoint:
      json.take("name", order.name);
      break;
    case JobAction::copy:
      json.take("name", order.name);
      json.take("as_profile", order.as_profile);
      break;
    case JobAction::remove:
      json.take("launches", order.launches);
      break;
    case JobAction::build:
    case JobAction::pause:
    case JobAction::unpause:
    case JobAction::terminate:
    case JobAction::teardown:
    case JobAction::dequeue:
      break;
  }
  return json.finish(std::move(order));
}

}  // namespace caddis::engine
