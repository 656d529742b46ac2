// both_backends.h: the same program in an eager and a compiled session of one device, to be compared.
#pragma once
#include <array>
#include <cstring>

#include "session/small_mlp.h"

namespace tenon::test {

/// [0] is eager, [1] compiled.
inline std::array<Session, 2> both_backends(const std::string& device, const Program& program, SessionOptions options) {
  const auto with = [&](Backend backend) {
    options.backend = backend;
    return session_of(device, program, options);
  };
  return {with(Backend::eager), with(Backend::compiled)};
}

inline std::array<Optimizer, 2> optimizers(std::array<Session, 2>& sessions, const OptimizerSpec& spec) {
  const auto of = [&](Session& session) {
    auto optimizer = session.init_optim(spec);
    if (!optimizer) {
      ADD_FAILURE() << to_string(optimizer.error());
      std::abort();
    }
    return *std::move(optimizer);
  };
  return {of(sessions[0]), of(sessions[1])};
}

inline void initialise(std::array<Session, 2>& sessions, std::uint64_t seed) {
  for (Session& session : sessions) ASSERT_TRUE(session.initialise(initial_values(session.program(), seed)));
}

/// A value, or the error's words, so that both can be compared and printed.
template <class T>
std::string text_of(const result<T>& answer) {
  if (!answer) return to_string(answer.error());
  if constexpr (std::is_same_v<T, void> || std::is_same_v<T, Session>)
    return "done";
  else
    return testing::PrintToString(*answer);
}

/// Everything that a session carries from run to run.
inline void expect_equal_sessions(std::array<Session, 2>& sessions) {
  EXPECT_EQ(*sessions[0].read_parameters(), *sessions[1].read_parameters());
  EXPECT_EQ(*sessions[0].read_states(), *sessions[1].read_states());
  EXPECT_EQ(sessions[0].draws(), sessions[1].draws());
}

inline std::vector<float> floats(const std::vector<std::byte>& bytes) {
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

}  // namespace tenon::test
