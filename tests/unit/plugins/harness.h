// harness.h: drives capsules through the C ABI, as a host does, without a host.
//
// A Call is one operation with its operands; it owns its buffers, which are exactly as large as they must be, so that
// AddressSanitizer sees a step too far. One thread.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <initializer_list>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "tenon/plugin.hpp"

namespace tenon::testing {

using Extents = std::vector<std::int64_t>;

// -- the host -----------------------------------------------------------------------------------------------

/// What plugins were given to call. Loops run in uneven ranges, last one first: kernels may not care.
struct TestHost {
  static inline std::string error;
  static inline std::int32_t code = 0;
  static inline bool exhausted = false;  // alloc gives nothing

  static void log(std::uint32_t, const char*, const char*) {}
  static void set_error(std::int32_t c, const char* text) { code = c, error = text; }
  static void* alloc(std::uint64_t bytes, std::uint64_t alignment) {
    void* block = nullptr;
    if (exhausted || posix_memalign(&block, alignment, bytes) != 0) return nullptr;
    return block;
  }
  static void release(void* block) { std::free(block); }
  static std::uint32_t worker_count() { return 3; }
  static std::int32_t parallel_for(std::uint64_t n, std::uint64_t grain, tenon_parallel_fn* fn, void* context) {
    const std::uint64_t first = std::min(n, grain), second = std::min(n, first + 2 * grain + 1);
    if (second != n) fn(context, second, n, 2);
    if (first != second) fn(context, first, second, 1);
    fn(context, 0, first, 0);
    return TENON_OK;
  }
  static void device_lost(std::uint64_t, std::int32_t, const char*) {}
  static const void* extension(const char*, std::uint32_t) { return nullptr; }

  static const tenon_host* table() {
    static const tenon_host host{
        sizeof(tenon_host), 0,           TENON_ABI, 0, log, set_error, alloc, release, worker_count,
        parallel_for,       device_lost, extension};
    return &host;
  }
};

/// Installs the host for a test and forgets what was said before.
class PluginTest : public ::testing::Test {
 protected:
  PluginTest() {
    plugin::host = TestHost::table();
    TestHost::error.clear();
    TestHost::code = 0;
    TestHost::exhausted = false;
  }
};

// -- values -------------------------------------------------------------------------------------------------

template <class T>
inline const T infinity = std::numeric_limits<T>::infinity();
template <class T>
inline const T nan = std::numeric_limits<T>::quiet_NaN();

/// The same bits; one NaN is as good as another.
template <class T>
bool same_bits(T a, T b) {
  return std::isnan(a) ? std::isnan(b) : std::memcmp(&a, &b, sizeof a) == 0;
}
template <class T>
::testing::AssertionResult same_bits(const std::vector<T>& actual, const std::vector<T>& expected) {
  if (actual.size() != expected.size()) {
    return ::testing::AssertionFailure() << actual.size() << " elements, expected " << expected.size();
  }
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (same_bits(actual[i], expected[i])) continue;
    return ::testing::AssertionFailure() << "element " << i << " is " << std::hexfloat << actual[i] << ", expected "
                                         << expected[i] << std::defaultfloat << " (" << actual[i] << ", " << expected[i]
                                         << ")";
  }
  return ::testing::AssertionSuccess();
}

// -- a call -------------------------------------------------------------------------------------------------

struct FreeBlock {
  void operator()(std::byte* block) const { std::free(block); }
};

struct Tensor {
  Extents shape, strides;
  tenon_tensor view{};
  std::uint64_t offset_bytes;                  // from the block's begin to the first element
  std::unique_ptr<std::byte, FreeBlock> data;  // null without elements

  Tensor(Extents extents, tenon_dtype dtype, std::uint64_t offset)
      : shape(std::move(extents)), strides(shape.size()), offset_bytes(offset) {
    std::int64_t stride = 1;
    for (std::size_t axis = shape.size(); axis-- != 0; stride *= shape[axis]) strides[axis] = stride;
    view = {sizeof view,        0,  dtype,  static_cast<std::uint32_t>(shape.size()), shape.data(), strides.data(),
            TENON_LAYOUT_DENSE, 64, nullptr};
    if (bytes() != 0) data.reset(static_cast<std::byte*>(TestHost::alloc(offset + bytes(), 64)));
    if (bytes() != 0) std::memset(begin(), 0xff, bytes());
  }
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;
  std::uint64_t bytes() const { return plugin::TensorView(view).bytes(); }
  std::byte* begin() const { return data == nullptr ? nullptr : data.get() + offset_bytes; }
};

inline const tenon_capsule* find_capsule(const std::string& name) {
  for (const tenon_capsule* capsule : plugin::linked_capsules()) {
    if (capsule->name == name) return capsule;
  }
  return nullptr;
}

class Call {
 public:
  /// A capsule of the reference provider: "add.f32".
  explicit Call(const std::string& name) : Call(find_capsule("cpu.reference." + name), name) {}
  Call(const tenon_capsule* capsule, const std::string& name)
      : capsule_(capsule), op_(name.substr(0, name.rfind('.'))) {
    if (capsule == nullptr) ADD_FAILURE() << "no capsule of the name " << name;
  }
  ~Call() { release(); }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  template <class T>
  Call& operand(const Extents& shape, const std::vector<T>& values) {
    Tensor& tensor = inputs_.emplace_back(shape, plugin::dtype_of<T>, offset_bytes_);
    EXPECT_EQ(tensor.bytes(), values.size() * sizeof(T)) << op_ << ": values do not fill the shape";
    if (!values.empty()) std::memcpy(tensor.begin(), values.data(), tensor.bytes());
    return *this;
  }
  template <class T>
  Call& output(const Extents& shape) {
    outputs_.emplace_back(shape, plugin::dtype_of<T>, offset_bytes_);
    return *this;
  }
  Call& real(const char* name, double value) { return attribute(name, TENON_VALUE_FLOAT, 1).f = value, *this; }
  Call& integer(const char* name, std::int64_t value) { return attribute(name, TENON_VALUE_INT, 1).i = value, *this; }
  Call& flag(const char* name, bool value) { return attribute(name, TENON_VALUE_INT, 1).i = value, *this; }
  Call& integers(const char* name, Extents values) {
    const Extents& kept = lists_.emplace_back(std::move(values));
    return attribute(name, TENON_VALUE_INTS, static_cast<std::uint32_t>(kept.size())).is = kept.data(), *this;
  }
  Call& scalar(double value) { return scalars_.emplace_back().f = value, *this; }
  Call& step(std::int64_t value) { return scalars_.emplace_back().i = value, *this; }
  Call& key(std::uint64_t value) { return scalars_.emplace_back().u = value, *this; }
  /// Proposes that an output take an operand's storage; after prepare it does if that was granted.
  Call& in_place(std::uint32_t output, std::uint32_t operand) {
    proposals_.push_back({output, operand});
    return *this;
  }
  /// The device that the kernel is prepared for; without it, none.
  Call& on(tenon_device* device) { return device_ = device, *this; }
  /// Operands and outputs that follow begin so far beyond an alignment of 64 bytes.
  Call& offset(std::uint64_t bytes) { return offset_bytes_ = bytes, *this; }
  Call& layout_of_operand(std::size_t i, std::uint32_t layout) { return inputs_[i].view.layout = layout, *this; }

  // -- what a host does

  const tenon_signature& signature() {
    values_.clear(), input_values_.clear(), output_values_.clear(), scalar_slots_.clear(), aliases_.clear();
    for (const Tensor& tensor : inputs_) input_values_.push_back(add_value(tensor));
    for (const Tensor& tensor : outputs_) output_values_.push_back(add_value(tensor));
    for (std::uint32_t i = 0; i < scalars_.size(); ++i) scalar_slots_.push_back(i);
    for (const auto& [output, operand] : proposals_) {
      aliases_.insert(aliases_.end(), {output_values_[output], input_values_[operand]});
    }
    node_ = {sizeof node_,         0,
             op_.c_str(),          1,
             count(attributes_),   attributes_.data(),
             count(inputs_),       count(outputs_),
             count(scalars_),      0,
             input_values_.data(), output_values_.data(),
             scalar_slots_.data()};
    signature_ = {sizeof signature_,
                  TENON_SIGNATURE_STRICT,
                  1,
                  count(values_),
                  count(scalars_),
                  count(aliases_) / 2,
                  &node_pointer_,
                  values_.data(),
                  count(inputs_),
                  count(outputs_),
                  input_values_.data(),
                  output_values_.data(),
                  aliases_.data(),
                  0};
    return signature_;
  }

  std::int32_t supports() {
    char words[300] = {};
    tenon_text text{words, sizeof words, 0};
    const std::int32_t status = capsule_->supports(capsule_, device_, &signature(), &text);
    reason.assign(words, text.length);
    return status;
  }

  std::int32_t prepare() {
    kernel.size = sizeof kernel;
    const std::int32_t status = capsule_->prepare(capsule_, device_, &signature(), &kernel);
    prepared_ = status == TENON_OK;
    return status;
  }

  std::int32_t launch() {
    std::vector<tenon_ref> refs;
    for (const Tensor& tensor : inputs_) refs.push_back(ref(tensor.begin()));
    for (const Tensor& tensor : outputs_) refs.push_back(ref(tensor.begin()));
    for (std::uint32_t i = 0; i < kernel.alias_count; ++i) {
      refs[kernel.aliases[2 * i]] = refs[kernel.aliases[2 * i + 1]];  // values are numbered like arguments here
    }
    std::unique_ptr<std::byte, FreeBlock> workspace;
    if (kernel.workspace_bytes != 0) {
      workspace.reset(static_cast<std::byte*>(TestHost::alloc(kernel.workspace_bytes, 64)));
    }
    const tenon_args args{refs.data(), scalars_.data(), {}, ref(workspace.get()), nullptr, 1, {}};
    return capsule_->launch(kernel.kernel, &args, nullptr);
  }

  /// All of it.
  std::int32_t run() {
    const std::int32_t status = prepare();
    return status == TENON_OK ? launch() : status;
  }

  template <class T>
  std::vector<T> result(std::uint32_t output = 0) const {
    const Tensor* tensor = &outputs_[output];
    for (std::uint32_t i = 0; i < kernel.alias_count; ++i) {
      if (kernel.aliases[2 * i] == output_values_[output]) tensor = &inputs_[kernel.aliases[2 * i + 1]];
    }
    std::vector<T> values(tensor->bytes() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), tensor->begin(), tensor->bytes());
    return values;
  }

  std::string reason;
  tenon_kernel kernel{};

 private:
  template <class Container>
  static std::uint32_t count(const Container& container) {
    return static_cast<std::uint32_t>(container.size());
  }
  static tenon_ref ref(const std::byte* data) { return {reinterpret_cast<std::uintptr_t>(data), 0}; }
  std::uint32_t add_value(const Tensor& tensor) {
    values_.push_back(&tensor.view);
    return count(values_) - 1;
  }
  decltype(tenon_value::as)& attribute(const char* name, std::uint32_t type, std::uint32_t elements) {
    tenon_attr& added = attributes_.emplace_back();
    added.name = name;
    added.value.type = type;
    added.value.count = elements;
    return added.value.as;
  }
  void release() {
    if (prepared_) capsule_->release(kernel.kernel);
  }

  const tenon_capsule* capsule_;
  tenon_device* device_ = nullptr;
  std::uint64_t offset_bytes_ = 0;
  std::string op_;
  std::deque<Tensor> inputs_, outputs_;
  std::vector<tenon_attr> attributes_;
  std::deque<Extents> lists_;
  std::vector<tenon_scalar> scalars_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> proposals_;
  std::vector<std::uint32_t> aliases_;
  std::vector<const tenon_tensor*> values_;
  std::vector<std::uint32_t> input_values_, output_values_, scalar_slots_;
  tenon_node node_{};
  const tenon_node* node_pointer_ = &node_;
  tenon_signature signature_{};
  bool prepared_ = false;
};

// -- both real types ----------------------------------------------------------------------------------------

using Reals = ::testing::Types<float, double>;

template <class T>
std::string suffix() {
  return sizeof(T) == 4 ? ".f32" : ".f64";
}

template <class T>
class RealTest : public PluginTest {
 protected:
  static Call call(const std::string& op) { return Call(op + suffix<T>()); }
  using Values = std::vector<T>;
};

}  // namespace tenon::testing
