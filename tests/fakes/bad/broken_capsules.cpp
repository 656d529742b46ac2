// Brings one good capsule among several that cannot be used.
#include "faulty.h"

namespace {

const tenon_dtype f32[] = {{TENON_DTYPE_FLOAT, 32, 1}, {TENON_DTYPE_FLOAT, 32, 1}};
const tenon_dtypes rows[] = {{2, 0, f32}};
const tenon_contract contracts[TENON_CONTRACT_COUNT] = {{TENON_CLAIM_STATED, TENON_EVIDENCE_DECLARED, "", ""},
                                                        {TENON_CLAIM_STATED, TENON_EVIDENCE_DECLARED, "", ""},
                                                        {TENON_CLAIM_STATED, TENON_EVIDENCE_DECLARED, "", ""},
                                                        {TENON_CLAIM_STATED, TENON_EVIDENCE_DECLARED, "", ""}};
tenon_numerics numerics() {
  tenon_numerics n{};
  n.size = sizeof n;
  return n;
}
const tenon_numerics undeclared = numerics();

tenon_capsule make(const char* name) {
  tenon_capsule c{};
  c.size = sizeof c;
  c.name = name;
  c.op = "neg";
  c.provider = "faulty";
  c.memory_domain = "host";
  c.trust = TENON_TRUST_CHECKED;  // more than a third party may say
  c.gradient = TENON_GRADIENT_BY_OPERATIONS;
  c.layouts = TENON_LAYOUT_DENSE;
  c.dtypes_count = 1;
  c.dtypes = rows;
  c.numerics = &undeclared;
  c.contracts = contracts;
  c.supports = faulty::nothing;
  c.prepare = faulty::nothing;
  c.launch = faulty::nothing;
  c.release = [](void*) {};
  return c;
}

const tenon_capsule good = make("faulty.good"), twice = make("faulty.good"), nameless = make("");
tenon_capsule launches_nothing = make("faulty.no_launch"), too_small = make("faulty.too_small");
const tenon_capsule* const table[] = {&good, &twice, &nameless, nullptr, &launches_nothing, &too_small};

}  // namespace

std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  launches_nothing.launch = nullptr;
  too_small.size = 16;
  faulty::plugin_table.capsule_count = 6;
  faulty::plugin_table.capsules = table;
  return faulty::answer(query, reply);
}
