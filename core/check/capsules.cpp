// Every capsule over the table's cases: values, bits, and where it writes.
#include <algorithm>
#include <array>

#include "check.h"
#include "composed_gradient.h"
#include "tenon/text.h"

namespace tenon::check {
namespace {

/// How far results of arithmetic in a type may lie from the reference: the case's figure is meant for binary32.
double tolerance_in(tenon_dtype type, const Case& source) {
  if (type.code == TENON_DTYPE_BFLOAT) return source.tolerance * 0x1p16;
  if (type.bits <= 16) return source.tolerance * 0x1p13;
  return type.bits == 32 ? source.tolerance : 1e-9 * source.tolerance / 4e-6;
}

/// The coarsest of the types that the capsule says it computes in.
double tolerance_of(const tenon_numerics& numerics, const DrawnCase& drawn) {
  double tolerance = tolerance_in(to_abi(drawn.real), drawn.source);
  for (const tenon_dtype type : {numerics.compute, numerics.accumulate})
    if (type.lanes != 0) tolerance = std::max(tolerance, tolerance_in(type, drawn.source));
  return tolerance;
}

std::string place(std::size_t output, std::size_t element) {
  return "element " + std::to_string(element) + " of output " + std::to_string(output);
}

Verdict all_agree(const DrawnCase& drawn, std::span<const Bytes> found, std::span<const std::vector<double>> expected,
                  double tolerance) {
  for (std::size_t output = 0; output < expected.size(); ++output) {
    const std::vector<double> values = to_doubles(found[output], drawn.real);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double wanted = expected[output][i];
      if (!agrees(values[i], wanted, tolerance))
        return wrong(place(output, i) + " is " + shortest(values[i]),
                     shortest(wanted) + " within " + shortest(tolerance) + " of max(1, |it|)");
    }
  }
  return {};
}

/// Does `visit` for every case that the capsule serves, and names the case in what it finds.
Verdict for_each_served(Bench& bench, const tenon_capsule& capsule,
                        const std::function<Verdict(const Lane&, const DrawnCase&)>& visit) {
  TENON_SEEK(const Lane* const lane, bench.lane());
  std::size_t served = 0;
  std::string refusal;
  TENON_HOLDS(for_each_case(capsule, [&](const DrawnCase& drawn) -> Verdict {
    const auto ask = [&]() -> Verdict {
      TENON_SEEK(const bool is_served, serves(*lane, capsule, drawn.signature.get(), &refusal));
      if (!is_served) return {};
      ++served;
      return visit(*lane, drawn);
    };
    Verdict verdict = ask();
    if (!verdict && verdict.error().outcome == Outcome::failed) return in_case(drawn, std::move(verdict).error());
    return verdict;
  }));
  if (served == 0) return serves_nothing();
  return {};
}

/// How many of a capsule's cases `other` serves, and why it declined the last one that it did not.
Verdict count_served(const Lane& lane, const tenon_capsule& capsule, const tenon_capsule& other, std::size_t& served,
                     std::string& refusal) {
  return for_each_case(capsule, [&](const DrawnCase& drawn) -> Verdict {
    TENON_SEEK(const bool is_served, serves(lane, other, drawn.signature.get(), &refusal));
    served += is_served ? 1 : 0;
    return {};
  });
}

/// What stands on a library that is not installed declines everything, and rightly, where another capsule does its
/// work.
Verdict serves_some(Bench& bench, const tenon_capsule& capsule) {
  TENON_SEEK(const Lane* const lane, bench.lane());
  std::size_t served = 0;
  std::string refusal;
  TENON_HOLDS(count_served(*lane, capsule, capsule, served, refusal));
  if (served != 0) return {};
  const std::string found =
      "it declines every case of the table, the last for: " + (refusal.empty() ? "no reason" : refusal);
  const tenon_plugin& all = bench.plugin().raw();
  for (const tenon_capsule* other : std::span(all.capsules, all.capsule_count)) {
    if (other == nullptr || other->op == nullptr || other->provider == nullptr || other->supports == nullptr) continue;
    if (std::string_view(other->op) != capsule.op || std::string_view(other->provider) == capsule.provider) continue;
    std::string unused;
    TENON_HOLDS(count_served(*lane, capsule, *other, served, unused));
    if (served != 0) return skipped(found + "; " + other->name + " serves in its place");
  }
  return wrong(found, "one case at least that it serves");
}

Verdict values(Bench& bench, const tenon_capsule& capsule) {
  return for_each_served(bench, capsule, [&](const Lane& lane, const DrawnCase& drawn) -> Verdict {
    TENON_SEEK(const auto found, run_case(lane, capsule, drawn, Placement::in_granted_places));
    std::vector<std::vector<double>> expected;
    for (HostArray& array : drawn.expected()) expected.push_back(std::move(array.values));
    return all_agree(drawn, found, expected, tolerance_of(*capsule.numerics, drawn));
  });
}

Verdict same_outputs(std::span<const Bytes> found, std::span<const Bytes> expected, DType real) {
  for (std::size_t output = 0; output < expected.size(); ++output) {
    const Bytes a = with_one_nan(found[output], real), b = with_one_nan(expected[output], real);
    const auto at = static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
    if (at == a.size()) continue;
    const std::size_t element = at / size_bytes(real);
    return wrong(place(output, element) + " is " + shortest(to_doubles(found[output], real)[element]),
                 "the bits of " + shortest(to_doubles(expected[output], real)[element]));
  }
  return {};
}

/// A gradient of the cpu's own is not asked: the rule is what counts.
sought<std::vector<Bytes>> strict_outputs(ReferenceDevice& reference, const DrawnCase& drawn) {
  if (spec(drawn.request.op).role == Role::vjp) return composed_gradient(reference, drawn);
  return reference.run(drawn.request, drawn.operand_bytes(), drawn.source.scalars);
}

Verdict strict_bits(Bench& bench, const tenon_capsule& capsule) {
  if ((capsule.numerics->flags & TENON_NUMERICS_STRICT) == 0) return skipped("it claims no strict numerics");
  TENON_HOLDS(bench.lane());  // without which a reference is of no use
  TENON_SEEK(ReferenceDevice* const reference, bench.reference());
  return for_each_served(bench, capsule, [&](const Lane& lane, const DrawnCase& drawn) -> Verdict {
    TENON_SEEK(const auto expected, strict_outputs(*reference, drawn));
    TENON_SEEK(const auto found, run_case(lane, capsule, drawn, Placement::in_granted_places));
    return same_outputs(found, expected, drawn.real);
  });
}

Verdict same_again(Bench& bench, const tenon_capsule& capsule) {
  if ((capsule.numerics->flags & (TENON_NUMERICS_DETERMINISTIC | TENON_NUMERICS_STRICT)) == 0)
    return skipped("it claims no deterministic numerics");
  return for_each_served(bench, capsule, [&](const Lane& lane, const DrawnCase& drawn) -> Verdict {
    TENON_SEEK(const auto first, run_case(lane, capsule, drawn));
    TENON_SEEK(const auto second, run_case(lane, capsule, drawn));
    return same_outputs(second, first, drawn.real);
  });
}

/// One kernel serves many launches: the second gives what the first gave, as far from the reference as either may be.
Verdict launched_again(Bench& bench, const tenon_capsule& capsule) {
  return for_each_served(bench, capsule, [&](const Lane& lane, const DrawnCase& drawn) -> Verdict {
    TENON_SEEK(const PreparedKernel kernel, PreparedKernel::prepare(lane, capsule, drawn.signature.get()));
    std::vector<std::vector<double>> first;
    for (int launch = 0; launch < 2; ++launch) {
      TENON_SEEK(const PlacedCase placed,
                 PlacedCase::place(lane, drawn, kernel.prepared(), Placement::in_granted_places));
      TENON_HOLDS(kernel.launch(placed.args(), lane.stream()));
      TENON_HOLDS(lane.synchronize());
      TENON_SEEK(const auto found, placed.outputs(lane));
      TENON_HOLDS(all_agree(drawn, found, first, 2 * tolerance_of(*capsule.numerics, drawn)));
      for (const Bytes& output : found) first.push_back(to_doubles(output, drawn.real));
    }
    return {};
  });
}

Verdict bounds(Bench& bench, const tenon_capsule& capsule) {
  return for_each_served(bench, capsule, [&](const Lane& lane, const DrawnCase& drawn) -> Verdict {
    TENON_SEEK(const PreparedKernel kernel, PreparedKernel::prepare(lane, capsule, drawn.signature.get()));
    TENON_SEEK(const PlacedCase placed, PlacedCase::place(lane, drawn, kernel.prepared(), Placement::apart));
    TENON_HOLDS(kernel.launch(placed.args(), lane.stream()));
    TENON_HOLDS(lane.synchronize());
    return placed.wrote_results_only(lane);
  });
}

constexpr auto of_capsules = std::to_array<Check>({
    {"serves", "a capsule serves some of the operation's cases", nullptr, serves_some},
    {"values", "results agree with the double-precision reference, within what the declared numerics allow", nullptr,
     values},
    {"strict-bits", "a capsule that claims strict numerics gives the bits of this Tenon's own cpu", nullptr,
     strict_bits},
    {"same-again", "a capsule that claims to be deterministic gives the same bits again", nullptr, same_again},
    {"launched-again", "a kernel that is prepared once may be launched again, with other arguments", nullptr,
     launched_again},
    {"bounds", "a kernel writes its results and its workspace, and nothing else", nullptr, bounds},
});

}  // namespace

std::span<const Check> capsule_checks() { return of_capsules; }

}  // namespace tenon::check
