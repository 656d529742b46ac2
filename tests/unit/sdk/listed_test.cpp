// What a plugin in C declines for itself: everything that its capsule does not list.
#include "tenon/plugin/listed.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "tenon/plugin.hpp"

namespace tenon::plugin {
namespace {

constexpr tenon_dtype f32 = dtype_of<float>, f64 = dtype_of<double>;

/// An operation of one operand and one result with an attribute, and a capsule that lists it.
class Listed : public testing::Test {
 protected:
  Listed() {
    operand_.dtype = result_.dtype = f32;
    operand_.layout = result_.layout = TENON_LAYOUT_DENSE;
    node_.attrs = &attribute_;
    node_.attr_count = node_.input_count = node_.output_count = 1;
    node_.inputs = &places_[0];
    node_.outputs = &places_[1];
    attribute_.name = "axis";
    signature_.nodes = nodes_;
    signature_.values = values_;
    signature_.node_count = 1;
    signature_.value_count = 2;
    capsule_.dtypes = &row_;
    capsule_.dtypes_count = 1;
    capsule_.layouts = TENON_LAYOUT_DENSE;
    capsule_.attributes = &known_;
    capsule_.attribute_count = 1;
  }

  std::optional<std::string> declined() const {
    const char* why = tenon_unlisted(&capsule_, &signature_);
    return why != nullptr ? std::optional<std::string>(why) : std::nullopt;
  }

  tenon_tensor operand_{}, result_{};
  tenon_attr attribute_{};
  tenon_node node_{};
  tenon_signature signature_{};
  tenon_capsule capsule_{};
  tenon_dtype types_[2] = {f32, f32};
  tenon_dtypes row_{2, 0, types_};
  const char* known_ = "axis";

 private:
  const tenon_tensor* values_[2] = {&operand_, &result_};
  const tenon_node* nodes_[2] = {&node_, &node_};
  std::uint32_t places_[2] = {0, 1};
};

TEST_F(Listed, IsWhatTheCapsuleSays) { EXPECT_EQ(declined(), std::nullopt); }

TEST_F(Listed, IsOneOperation) {
  signature_.node_count = 2;
  EXPECT_EQ(declined(), "serves one operation at a time");
}

TEST_F(Listed, AreTypesOfOperandsAndResults) {
  for (tenon_tensor* value : {&operand_, &result_}) {
    value->dtype = f64;
    EXPECT_EQ(declined(), "takes other dtypes, or another number of them");
    value->dtype = f32;
  }
  row_.count = 1;
  EXPECT_EQ(declined(), "takes other dtypes, or another number of them");
}

TEST_F(Listed, AreLayoutsOfOperandsWhereResultsAreDense) {
  operand_.layout = TENON_LAYOUT_STRIDED;
  EXPECT_EQ(declined(), "takes tensors of other layouts");
  capsule_.layouts = TENON_LAYOUT_STRIDED;
  EXPECT_EQ(declined(), std::nullopt);
  result_.layout = TENON_LAYOUT_STRIDED;
  EXPECT_EQ(declined(), "takes tensors of other layouts");
}

TEST_F(Listed, IsNoPackingOfAnother) {
  operand_.format = "acme.tiles";
  EXPECT_EQ(declined(), "takes tensors of other layouts");
}

TEST_F(Listed, AreAttributes) {
  attribute_.name = "keep_dims";
  EXPECT_EQ(declined(), "knows no such attribute");
}

}  // namespace
}  // namespace tenon::plugin
