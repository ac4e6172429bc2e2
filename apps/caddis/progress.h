// How a running crawl shows itself: a block that is redrawn on a terminal, a plain line now and then elsewhere.
#pragma once

#include <string>

#include "caddis/crawl/crawl_status.h"

namespace caddis::cli {

class Progress {
 public:
  // Draws on standard error.
  Progress();
  void show(const crawl::CrawlStatus& status);
  // Takes the block away, before other text is written.
  void clear();

 private:
  std::string block(const crawl::CrawlStatus& status) const;

  bool terminal_;
  size_t lines_ = 0;  // of the block on the screen
  uint64_t calls_ = 0;
};

// "12.3 documents/s now (10.0 on average), …": one line.
std::string status_line(const crawl::CrawlStatus& status);

}  // namespace caddis::cli
