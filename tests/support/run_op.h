// run_op.h: one operation on one device, host arrays in and bytes out.
#pragma once
#include "support/draw_case.h"
#include "support/test_device.h"
#include "tenon/op_table.h"
#include "tenon/resolved_graph.h"

namespace tenon::test {

struct OpResult {
  std::vector<Shape> shapes;
  std::vector<std::vector<std::byte>> bytes;  // of each output
};

/// Records the operation (with the broadcasts it needs), resolves and runs it.
class OpRunner {
 public:
  OpRunner(const std::string& kind, DType real) : OpRunner(registry_of(kind, policy_of(real)), real) {}
  OpRunner(Registry registry, DType real)
      : real_(real), cache_(std::move(registry)), executor_(cache_.registry().device(), nullptr) {}

  result<OpResult> run(Op op, std::span<const HostArray> operands, const Attributes& attributes,
                       std::span<const Scalar> scalars) {
    const OpSpec& row = spec(op);
    Graph graph;
    std::vector<Value> leaves;
    for (std::size_t i = 0; i < operands.size(); ++i) leaves.push_back(graph.leaf({row.kind(i), operands[i].shape}));
    graph.record(op, leaves, attributes, scalars);
    TENON_CHECK(graph.status());
    Gaps gaps;
    const Precision precision{real_, row.role == Role::update ? GradientMode::training : GradientMode::evaluation};
    TENON_TRY(ResolvedGraph resolved, ResolvedGraph::resolve(std::move(graph), cache_, executor_, precision, gaps));
    if (!gaps.empty()) return fail(gaps.error(executor_.device()));
    return execute(resolved, operands, scalars);
  }

 private:
  result<OpResult> execute(ResolvedGraph& resolved, std::span<const HostArray> operands,
                           std::span<const Scalar> scalars) {
    Device& device = executor_.device();
    std::vector<Buffer> buffers;
    std::vector<tenon_ref> refs;
    const auto add = [&](std::uint64_t bytes) -> result<void> {
      TENON_TRY(Buffer buffer, Buffer::allocate(device.shared_from_this(), bytes));
      refs.push_back(buffer.ref());
      buffers.push_back(std::move(buffer));
      return {};
    };
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const bool natural = resolved.graph().types()[i].kind == Kind::natural;
      const auto bytes = to_bytes(operands[i], natural ? DType::u32 : real_);
      TENON_CHECK(add(bytes.size()));
      TENON_CHECK(device.write(refs.back(), bytes));
    }
    OpResult out;
    for (std::size_t n = 0; n < resolved.size(); ++n) {
      Step& step = resolved.step(n);
      const Node& node = resolved.graph().nodes()[n];
      for (std::size_t i = 0; i < node.operand_count; ++i) step.set_operand(i, refs[node.operand[i]]);
      for (std::size_t i = 0; i < step.output_count(); ++i) {
        const std::size_t shared = spec(node.op).role == Role::update ? spec(node.op).updated_operand(i) : 0;
        if (step.kernel().in_place(i))
          refs.push_back(refs[node.operand[shared]]);
        else
          TENON_CHECK(add(step.output_bytes(i)));
        step.set_output(i, refs.back());
      }
      if (n + 1 == resolved.size())
        for (std::size_t i = 0; i < scalars.size(); ++i) step.set_scalar(i, scalars[i]);
      if (!executor_.run(step)) return fail(executor_.error(step));
    }
    Step& last = resolved.step(resolved.size() - 1);
    for (std::size_t i = 0; i < last.output_count(); ++i) {
      out.shapes.push_back(last.kernel().request().outputs[i].shape);
      out.bytes.emplace_back(last.output_bytes(i));
      TENON_CHECK(device.read(out.bytes.back(), last.output(i)));
    }
    return out;
  }

  DType real_;
  KernelCache cache_;
  Executor executor_;
};

}  // namespace tenon::test
