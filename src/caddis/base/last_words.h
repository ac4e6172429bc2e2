// What a process says when it cannot go on: for want of memory or threads, which a limit (ulimit -v, a container) may
// leave it without at any moment. It says so in a line and ends with exit code 1, as if it had been killed: a crawl
// goes on where its last group was committed.
#pragma once

namespace caddis {

// To be called once, before any thread is started. From then on `new` that finds no memory, and an exception that
// nobody catches, end the process in that way; other exceptions than those of memory and of the system still abort it,
// since they are faults of the program.
void prepare_last_words();

}  // namespace caddis
