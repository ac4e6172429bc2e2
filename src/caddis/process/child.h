// Starts other programs, with the descriptors that are meant for them and no others.
//
// Any thread. Every failure of the system is ErrorCode::io, or what the system's error number says.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/process/descriptor.h"

namespace caddis::process {

// A descriptor of this process, and the number under which the child has it. The numbers begin with the lowest and leave
// none out but 0, 1 and 2: input and output are /dev/null then, standard error is this process's.
struct Handed {
  int own = -1;
  int number = 0;
};

// Starts `command`: the path of an executable, and its arguments. No signal is blocked in the child, and it
// has few variables of the environment (environment.h). Whoever has started it waits for its end (waitpid).
Result<pid_t> spawn(const std::vector<std::string>& command, const std::vector<Handed>& handed);

// A child that outlives this process.
struct Detached {
  std::string folder;  // its working folder
  std::string output;  // a file to which its output and its errors are appended
};
// Starts one in a session of its own, so that no terminal and no signal of a group reaches it. It is one of our own, and
// has the whole environment.
Result<pid_t> spawn_detached(const std::vector<std::string>& command, const std::vector<Handed>& handed,
                             const Detached& how);

// Waits for nothing: true if the child has ended, or was never one.
bool has_ended(pid_t pid);

// Returns a file in memory with these bytes, which nobody can change any more. Reading begins at its start.
Result<Descriptor> sealed_file(std::string_view bytes);

// Returns two ends that are connected (a socket of the system), and that no child inherits.
Result<std::pair<Descriptor, Descriptor>> connected_pair();

// Waits for the end of the child, and returns its status.
int wait_for(pid_t pid);

// "by signal 9", "with exit code 1".
std::string how_it_ended(int status);

}  // namespace caddis::process
