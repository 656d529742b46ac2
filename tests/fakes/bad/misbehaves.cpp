// A device in the host's memory with one kernel, which both work; what misdeed.h is told to do, it does besides.
#include "host_memory.h"

namespace {

using faulty::reach;

struct Constructor {
  Constructor() { reach("constructor"); }
} const constructor;

std::int32_t supports(const tenon_capsule*, tenon_device*, const tenon_signature*, tenon_text*) {
  reach("supports");
  return TENON_OK;
}

/// The kernel is the number of its elements.
std::int32_t prepare(const tenon_capsule*, tenon_device*, const tenon_signature* signature, tenon_kernel* kernel) {
  reach("prepare");
  const tenon_tensor& x = *signature->values[signature->inputs[0]];
  std::uintptr_t elements = 1;
  for (std::uint32_t axis = 0; axis < x.rank; ++axis) elements *= static_cast<std::uintptr_t>(x.shape[axis]);
  kernel->kernel = reinterpret_cast<void*>(elements);
  return TENON_OK;
}

std::int32_t launch(void* kernel, const tenon_args* args, tenon_stream*) {
  reach("launch");
  const auto* x = reinterpret_cast<const float*>(faulty::address(args->tensors[0]));
  auto* y = reinterpret_cast<float*>(faulty::address(args->tensors[1]));
  for (std::uintptr_t i = 0; i < reinterpret_cast<std::uintptr_t>(kernel); ++i) y[i] = -x[i];
  return TENON_OK;
}

const tenon_dtype f32[] = {{TENON_DTYPE_FLOAT, 32, 1}, {TENON_DTYPE_FLOAT, 32, 1}};
const tenon_dtypes rows[] = {{2, 0, f32}};
const tenon_contract stated{TENON_CLAIM_STATED, TENON_EVIDENCE_DECLARED, "", ""};
const tenon_contract contracts[TENON_CONTRACT_COUNT] = {stated, stated, stated, stated};

tenon_numerics strict_numerics() {
  tenon_numerics n{};
  n.size = sizeof n;
  n.flags = TENON_NUMERICS_STRICT | TENON_NUMERICS_DETERMINISTIC;
  n.rounding = TENON_ROUNDING_NEAREST_EVEN;
  n.subnormals = TENON_SUBNORMALS_GRADUAL;
  n.contraction = n.reduction = TENON_NOT_APPLICABLE;
  return n;
}
const tenon_numerics numerics = strict_numerics();

tenon_capsule make_neg() {
  tenon_capsule c{};
  c.size = sizeof c;
  c.traits = TENON_TRAIT_ASYNC;  // so that --profile asks the events
  c.name = "faulty.neg";
  c.op = "neg";
  c.provider = "faulty";
  c.memory_domain = "host";
  c.op_version_min = c.op_version_max = 1;
  c.trust = TENON_TRUST_EXTERNAL;
  c.gradient = TENON_GRADIENT_BY_OPERATIONS;
  c.layouts = TENON_LAYOUT_DENSE;
  c.dtypes_count = 1;
  c.dtypes = rows;
  c.numerics = &numerics;
  c.contracts = contracts;
  c.supports = supports;
  c.prepare = prepare;
  c.launch = launch;
  c.release = [](void*) { reach("release"); };
  return c;
}
const tenon_capsule neg = make_neg();
const tenon_capsule* const capsules[] = {&neg};

std::int32_t enumerate(void*, tenon_device_sink* sink, void* context) {
  reach("enumerate");
  tenon_device_info info = faulty::device_info();
  info.flags |= TENON_DEVICE_TIMESTAMPS;
  sink(context, &info);
  return TENON_OK;
}

std::int32_t initialize(const tenon_attr* options, std::uint32_t count, void** self) {
  reach("initialize");
  return faulty::initialize(options, count, self);
}

}  // namespace

std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  static constexpr char quiesce[] = "quiesce";
  reach("tenon_plugin_query");
  faulty::device_table.enumerate = enumerate;
  faulty::set_memory(faulty::device_table);
  faulty::set_streams(faulty::device_table);
  faulty::set_events(faulty::device_table);
  tenon_plugin& t = faulty::plugin_table;
  t.initialize = initialize;
  t.quiesce = faulty::reached<quiesce>;
  t.shutdown = [](void*) { reach("shutdown"); };
  t.capsule_count = 1;
  t.capsules = capsules;
  return faulty::answer(query, reply);
}
