// Output for people: it must not hold up who writes it.
#pragma once

namespace caddis {

// Whether `fd` takes a text of up to kTakenAtOnce bytes without waiting. False after a tenth of a second where nobody
// reads: of a terminal that was stopped with Ctrl-S, or a pipe whose reader stands still; at once where it was so
// before. Any thread.
bool takes_text(int fd);
inline constexpr int kTakenAtOnce = 4096;  // PIPE_BUF of Linux

}  // namespace caddis
