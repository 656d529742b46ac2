#include "tenon/plugin/table.h"

#include "harness.h"

namespace tenon::testing {
namespace {

using plugin::Identity;
using plugin::Options;

// -- a vendor's classes ---------------------------------------------------------------------------------------------

struct Plain {
  static constexpr Identity identity{"plain", "acme", "1.2"};
};

enum class Mode { slow, quick };

struct Rich {
  static constexpr Identity identity{"rich", "acme", "1.2", "by hand"};
  static constexpr tenon_devices table = plugin::unimplemented_devices();
  static constexpr const tenon_devices* devices = &table;
  static constexpr std::string_view options[] = {"mode", "size"};
  static std::span<const tenon_capsule* const> capsules() { return {}; }

  explicit Rich(const Options& given)
      : mode(given.choice<Mode>("mode", {"slow", "quick"})), size(given.whole("size", 7)) {}
  void quiesce() { ++quiesced; }
  const void* extension(std::string_view name, std::uint32_t version) const {
    if (name == "none") throw std::bad_alloc();
    return name == "count" && version == 1 ? &quiesced : nullptr;
  }
  Mode mode;
  std::uint64_t size;
  int quiesced = 0;
};

class Table : public PluginTest {
 protected:
  static tenon_attr option(const char* name, const char* text) {
    tenon_attr out{name, {}};
    out.value.type = TENON_VALUE_TEXT;
    out.value.count = 1;
    out.value.as.s = text;
    return out;
  }
  std::int32_t initialize(const std::vector<tenon_attr>& options) {
    return rich.initialize(options.data(), static_cast<std::uint32_t>(options.size()), &self);
  }
  Rich& object() const { return *static_cast<Rich*>(self); }
  ~Table() override { rich.shutdown(self); }

  const tenon_plugin &plain = *plugin::table_of<Plain>(), &rich = *plugin::table_of<Rich>();
  void* self = nullptr;
};

TEST_F(Table, SaysWhoThePluginIs) {
  EXPECT_STREQ(plain.id, "plain");
  EXPECT_STREQ(plain.vendor, "acme");
  EXPECT_STREQ(plain.version, "1.2");
  EXPECT_STREQ(plain.build, __VERSION__);
  EXPECT_STREQ(rich.build, "by hand");
  EXPECT_EQ(plain.size, sizeof(tenon_plugin));
}

TEST_F(Table, HasWhatIsLinkedUnlessThePluginSaysOtherwise) {
  EXPECT_EQ(plain.devices, nullptr);
  EXPECT_EQ(plain.capsule_count, plugin::linked_capsules().size());
  EXPECT_GT(plain.capsule_count, 0u);
  EXPECT_EQ(rich.devices, &Rich::table);
  EXPECT_EQ(rich.capsule_count, 0u);
}

TEST_F(Table, AnswersUnimplementedInEverySlot) {
  EXPECT_EQ(rich.devices->size, sizeof(tenon_devices));
  EXPECT_EQ(rich.devices->enumerate(nullptr, nullptr, nullptr), TENON_UNIMPLEMENTED);
  EXPECT_EQ(rich.devices->event_error(nullptr, nullptr), TENON_UNIMPLEMENTED);
  EXPECT_EQ(rich.devices->submit, nullptr);
}

TEST_F(Table, MakesTheObjectFromItsOptions) {
  ASSERT_EQ(initialize({option("mode", "quick"), option("size", "12"), option("size", "13")}), TENON_OK)
      << TestHost::error;
  EXPECT_EQ(object().mode, Mode::quick);
  EXPECT_EQ(object().size, 13u) << "a later word overrides an earlier one";
  EXPECT_EQ(rich.quiesce(self), TENON_OK);
  EXPECT_EQ(object().quiesced, 1);
  EXPECT_EQ(rich.extension(self, "count", 1), &object().quiesced);
  EXPECT_EQ(rich.extension(self, "count", 2), nullptr);
  EXPECT_EQ(rich.extension(self, "none", 1), nullptr);  // and no exception crosses the border
}

TEST_F(Table, HasTheFirstChoiceWhereNoneIsGiven) {
  ASSERT_EQ(initialize({}), TENON_OK);
  EXPECT_EQ(object().mode, Mode::slow);
  EXPECT_EQ(object().size, 7u);
}

TEST_F(Table, RefusesOptionsInWordsThatNameTheChoices) {
  EXPECT_EQ(initialize({option("mode", "fast")}), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(TestHost::error, "[rich] option rich.mode: found \"fast\", expected slow or quick");
  for (const char* number : {"", "-1", "1.5", "1e3", "99999999999999999999", "7 "}) {
    EXPECT_EQ(initialize({option("size", number)}), TENON_ERROR_INVALID_ARGUMENT) << number;
    EXPECT_EQ(TestHost::error,
              "[rich] option rich.size: found \"" + std::string(number) + "\", expected a whole number");
  }
  tenon_attr below{"size", {}};
  below.value.type = TENON_VALUE_INT;
  below.value.as.i = -1;
  EXPECT_EQ(initialize({below}), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(TestHost::error, "[rich] option rich.size: found -1, expected a whole number");
  EXPECT_EQ(initialize({option("modus", "slow")}), TENON_ERROR_UNKNOWN_OPTION);
  EXPECT_EQ(self, nullptr);
}

// -- slots ----------------------------------------------------------------------------------------------------------

struct Counter {
  void add(std::uint64_t n) {
    if (n == 0) plugin::refuse("nothing to add");
    count += n;
  }
  std::int32_t pending() const { return TENON_PENDING; }
  std::uint64_t count = 0;
};

TEST_F(Table, MakesASlotOfAMember) {
  Counter counter;
  auto* handle = plugin::to_handle<tenon_event>(&counter);
  std::int32_t (*const add)(tenon_event*, std::uint64_t) = plugin::slot<&Counter::add>;
  std::int32_t (*const pending)(tenon_event*) = plugin::slot<&Counter::pending>;
  EXPECT_EQ(add(handle, 3), TENON_OK);
  EXPECT_EQ(counter.count, 3u);
  EXPECT_EQ(pending(handle), TENON_PENDING);
  EXPECT_EQ(add(handle, 0), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(TestHost::error, "nothing to add");
  EXPECT_EQ(add(nullptr, 1), TENON_ERROR_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace tenon::testing
