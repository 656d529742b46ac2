// words.h: hears what the wrapped kernels tell the host, since work that fails late has to say it again later.
//
// One text per thread. listen() once, before any kernel is prepared.
#pragma once
#include <string>

namespace tenon::late {

/// Puts an ear between this plugin and the host's set_error.
void listen();

/// The last error text of this thread.
const std::string& last_words();

}  // namespace tenon::late
