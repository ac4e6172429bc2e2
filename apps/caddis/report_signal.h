// The signal by which a crawl is asked for its reports: SIGUSR1.
#pragma once

namespace caddis::cli {

// To be called before it may come, which would end the process otherwise.
void take_report_signal();
// Whether it has come since the last call.
bool take_reports_asked();

}  // namespace caddis::cli
