// program_texts.h: programs and their texts, for tests: each way fails the test with the error's words.
#pragma once
#include <gtest/gtest.h>

#include "tenon/graph.h"
#include "tenon/program_text.h"

namespace tenon {

inline Program parsed(std::string_view text) {
  auto program = parse_program(text, "sum.tenon");
  if (!program) ADD_FAILURE() << to_string(program.error());
  return program ? *std::move(program) : Program{};
}

inline std::string text_of(const Program& program) {
  auto text = to_text(program);
  if (!text) ADD_FAILURE() << to_string(text.error());
  return text.value_or("");
}

/// The graph of a program's function for extents that are known.
struct Recorded {
  Graph graph;
  std::vector<Value> parameters, reals, naturals, states;
  Value result;
};

inline void record(Recorded& out, const Program& program, bool loss, std::span<const Shape> inputs) {
  for (const ParameterSpec& p : program.parameters) out.parameters.push_back(out.graph.leaf({Kind::real, p.shape}));
  for (const StateSpec& s : program.states) out.states.push_back(out.graph.leaf({Kind::real, s.shape}));
  for (std::size_t i = 0; i < program.inputs.size(); ++i) {
    const Kind kind = program.inputs[i].kind;
    (kind == Kind::real ? out.reals : out.naturals).push_back(out.graph.leaf({kind, inputs[i]}));
  }
  const std::size_t reals = loss ? out.reals.size() : program.forward_reals;
  const std::size_t naturals = loss ? out.naturals.size() : program.forward_naturals;
  const ProgramArguments arguments{out.graph, out.parameters, std::span(out.reals).first(reals),
                                   std::span(out.naturals).first(naturals), out.states};
  out.result = (loss ? program.loss : program.forward)(arguments);
}

}  // namespace tenon
