// Bodies of answers that list captures, made while they are sent (http::BodySource): a slice of the search, then others
// get their turn. None holds more than a page or a few pieces, whatever the index has.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "caddis/cdx/query_run.h"
#include "caddis/cdxserver/query_answer.h"
#include "caddis/http/server.h"
#include "caddis/replay/memento.h"
#include "caddis/replay/request_context.h"
#include "caddis/replay/views.h"

namespace caddis::replay {

// The bounds of one answer, and the clock that its work is measured by.
struct BodyBounds {
  const Clock& clock;
  cdxserver::AnswerLimits limits;
};
// Gives the response this body. Its first slice is made at once: a small body travels as it always did, with its
// length; an error in it is given back.
Result<void> begin_body(http::ServerResponse& response, std::unique_ptr<http::BodySource> source,
                        const BodyBounds& bounds);

// One line a capture, as the query has them.
std::unique_ptr<http::BodySource> capture_lines(cdx::QueryRun run);
// application/link-format. The query of the run is run twice: its first and last capture stand at the top.
std::unique_ptr<http::BodySource> link_lines(cdx::CaptureIndex& index, cdx::QueryRun run, const MementoBase& memento);

// A page for people: what it shows is collected slice by slice, up to a bound of bytes, then written.
class PageBody : public http::BodySource {
 public:
  Result<bool> next(std::string& piece) final;

 protected:
  // One slice. True: all is collected.
  virtual Result<bool> collect() = 0;
  virtual std::string write() = 0;

 private:
  std::string html_;
  size_t sent_ = 0;
  bool written_ = false;
};

// Up to so many captures, or bytes of them, of a query. For those beyond `whole` only the time is kept, and of the
// first of a day the URL.
struct CollectLimits {
  size_t captures = 0;
  size_t whole = SIZE_MAX;
};
class CaptureCollector {
 public:
  CaptureCollector(cdx::QueryRun run, CollectLimits limits) : run_(std::move(run)), limits_(limits) {}
  // One slice. True: there is no more, or no room.
  Result<bool> collect(std::vector<cdx::Capture>& captures);
  bool cut() const { return cut_; }  // there was more

 private:
  void add(cdx::Capture capture, std::vector<cdx::Capture>& captures);
  cdx::QueryRun run_;
  CollectLimits limits_;
  size_t bytes_ = 0;
  bool cut_ = false;
};

// Asks why view.url is not there, reading logs for a second at most, and the index for what there is instead.
std::unique_ptr<http::BodySource> missing_body(const RequestContext& context, MissingView view);

}  // namespace caddis::replay
