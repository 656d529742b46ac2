// messages.h: what the helper process tells the one that started it, one line of JSON for each piece of news. Values.
#pragma once
#include <string>
#include <variant>
#include <vector>

#include "tenon/certificate.h"

namespace tenon::check {

/// What became known of the plugin: "vendor", "device", ...
struct Fact {
  std::string name, value;
};
/// Item `number` begins; what happens until the next line happens to it.
struct Begun {
  std::size_t number = 0;
  CheckResult item;  // without an outcome yet
};
/// Another process is to go on with item `next`.
struct GoOn {
  std::size_t next = 0;
};
struct Done {
  std::size_t matched = 0;  // items that `only` left
};
using Message = std::variant<Fact, Begun, CheckResult, GoOn, Done>;

std::string to_line(const Message& message);
/// Those of the complete lines; others (a plugin's own writing) are left out.
std::vector<Message> read_lines(std::string_view text);

/// The first line of the helper: what goes wrong without it is its own fault.
std::string greeting();

}  // namespace tenon::check
