// What the exchanges of a sample cost over loopback where nothing is done with them: send a request, receive the
// answer's bytes. A process on the other core answers. Only Linux.
#pragma once

#include "yardsticks/sample.h"

namespace yardsticks {

// Seconds.
struct NetworkTimes {
  double receive = 0;  // all exchanges of the sample over kept connections: our end
  double send = 0;     // the same: the server's end
  double connect = 0;  // one connection, made and closed: our end
};

struct NetworkOptions {
  size_t connections = 64;  // kept, and used in turn
  int server_core = 1;
  double seconds = 0.3;  // about how long each measurement takes
};

caddis::Result<NetworkTimes> measure_network(const Sample& sample, const NetworkOptions& options);

// One TLS 1.3 handshake, in memory, certificate of P-256, nothing resumed: our end.
double measure_handshake(double seconds);

}  // namespace yardsticks
