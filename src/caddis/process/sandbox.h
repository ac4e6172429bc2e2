// The sandbox of a program of others.
#pragma once

namespace caddis::process {

// Beside the limits that always hold. `automatic`: by bubblewrap if it works here.
enum class Sandbox { automatic, bubblewrap, none };

}  // namespace caddis::process
