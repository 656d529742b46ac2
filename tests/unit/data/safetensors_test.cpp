#include "tenon/safetensors.h"

#include <gtest/gtest.h>

#include <cstring>

#include "temp_folder.h"

namespace tenon {
namespace {

using test::TempFolder;

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

template <class T>
std::vector<std::byte> bytes_of(std::vector<T> values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

std::string with_length(std::uint64_t length, std::string_view rest) {
  std::string out(8, '\0');
  std::memcpy(out.data(), &length, 8);
  return out.append(rest);
}

/// A file with this header and so many bytes of data.
std::string with_header(std::string_view header, std::size_t data_bytes) {
  return with_length(header.size(), header) + std::string(data_bytes, '\x01');
}

/// A header with one tensor "x".
std::string one(std::string_view dtype, std::string_view shape, std::string_view offsets) {
  return std::string(R"({"x":{"dtype":)")
      .append(dtype)
      .append(R"(,"shape":)")
      .append(shape)
      .append(R"(,"data_offsets":)")
      .append(offsets)
      .append("}}");
}

TensorFile example() {
  return {{{"steps", "12"}, {"format", "tenon"}},
          {{"fc.weight", DType::f32, Shape(2, 3), bytes_of<float>({0, 1, 2, 3, 4, 5})},
           {"moment", DType::f64, Shape(2), bytes_of<double>({0.5, -0.5})},
           {"step", DType::u32, Shape(), bytes_of<std::uint32_t>({12})},
           {"nothing", DType::f32, Shape(0, 7), {}}}};
}

class Safetensors : public testing::Test {
 protected:
  result<TensorFile> read(std::string_view bytes) { return read_safetensors(folder_.write("t", bytes)); }

  std::string shortened(const Error& error) { return replaced(error.text, (folder_ / "t").string(), "FILE"); }

  std::string flaw(std::string_view bytes) {
    const auto file = read(bytes);
    return file ? "no error" : shortened(file.error());
  }
  std::string header_flaw(std::string_view header, std::size_t data_bytes) {
    return replaced(flaw(with_header(header, data_bytes)), "[safetensors] FILE: ", "");
  }
  std::string write_flaw(const TensorFile& file) {
    const auto written = write_safetensors(folder_ / "t", file);
    return written ? "no error" : shortened(written.error());
  }

  TempFolder folder_;
};

TEST_F(Safetensors, ReadsWhatItWrote) {
  ASSERT_TRUE(write_safetensors(folder_ / "t", example()));
  const auto back = read_safetensors(folder_ / "t");
  ASSERT_TRUE(back) << back.error().text;
  EXPECT_EQ(back->metadata, example().metadata);
  ASSERT_EQ(back->tensors.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    const NamedTensor expected = example().tensors[i];
    EXPECT_EQ(back->tensors[i].name, expected.name);
    EXPECT_EQ(back->tensors[i].dtype, expected.dtype);
    EXPECT_EQ(back->tensors[i].shape, expected.shape);
    EXPECT_EQ(back->tensors[i].bytes, expected.bytes);
  }
}

TEST_F(Safetensors, WritesTheseBytes) {
  const TensorFile file{{{"b", "2"}, {"a", "\"1\""}},
                        {{"x", DType::u32, Shape(2), bytes_of<std::uint32_t>({1, 2})},
                         {"y", DType::f64, Shape(), bytes_of<double>({1})}}};
  ASSERT_TRUE(write_safetensors(folder_ / "t", file));
  const std::string header =
      R"({"__metadata__":{"a":"\"1\"","b":"2"},"x":{"dtype":"U32","shape":[2],"data_offsets":[8,16]},)"
      R"("y":{"dtype":"F64","shape":[],"data_offsets":[0,8]}})";
  const std::string padded = header + std::string((8 - header.size() % 8) % 8, ' ');
  const std::string data("\0\0\0\0\0\0\xF0\x3F\1\0\0\0\2\0\0\0", 16);
  EXPECT_EQ(folder_.read("t"), with_length(padded.size(), padded) + data);
}

TEST_F(Safetensors, WritesAFileWithoutTensors) {
  ASSERT_TRUE(write_safetensors(folder_ / "t", {}));
  EXPECT_EQ(folder_.read("t"), with_length(8, "{}      "));
  const auto back = read_safetensors(folder_ / "t");
  ASSERT_TRUE(back);
  EXPECT_TRUE(back->tensors.empty());
}

TEST_F(Safetensors, FindsTensorsByName) {
  const TensorFile file = example();
  ASSERT_NE(file.find("step"), nullptr);
  EXPECT_EQ(file.find("step")->dtype, DType::u32);
  EXPECT_EQ(file.find("absent"), nullptr);
}

TEST_F(Safetensors, ReadsHeadersWithoutPaddingAndWithBlanks) {
  EXPECT_TRUE(read(with_header(one(R"("F32")", "[2]", "[0,8]"), 8)));
  EXPECT_TRUE(read(with_header("{ \"x\" : {\"shape\": [2], \"data_offsets\":\n[0, 8], \"dtype\":\"F32\"} } \n", 8)));
}

TEST_F(Safetensors, ReadsTensorsWhoseDataComeInAnotherOrder) {
  const auto file = read(with_header(R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[4,8]},)"
                                     R"("y":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
                                     8));
  ASSERT_TRUE(file) << file.error().text;
  EXPECT_EQ(file->tensors[0].name, "x");
}

TEST_F(Safetensors, RefusesEveryPrefixOfAValidFile) {
  ASSERT_TRUE(write_safetensors(folder_ / "t", example()));
  const std::string whole = folder_.read("t");
  ASSERT_TRUE(read(whole));
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const auto file = read(whole.substr(0, length));
    ASSERT_FALSE(file) << length;
    EXPECT_EQ(file.error().reason, Reason::FILE_MALFORMED) << length;
    EXPECT_NE(file.error().text.find((folder_ / "t").string()), std::string::npos) << length;
  }
}

TEST_F(Safetensors, SurvivesChangedBytes) {
  ASSERT_TRUE(write_safetensors(folder_ / "t", example()));
  const std::string whole = folder_.read("t");
  for (std::size_t at = 0; at < whole.size(); at += 2) {
    for (const char c : {'\xFF', '"', '9'}) {
      std::string changed = whole;
      changed[at] = c;
      const auto file = read(changed);
      if (file) {
        EXPECT_LE(file->tensors.size(), 4U) << at;
      }
    }
  }
}

TEST_F(Safetensors, RefusesBytesBehindTheData) {
  ASSERT_TRUE(write_safetensors(folder_ / "t", example()));
  EXPECT_EQ(flaw(folder_.read("t") + "x"),
            "[safetensors] FILE: found 45 bytes of data, expected 44 as the tensors take");
}

TEST_F(Safetensors, RefusesHeaderLengthsBeyondTheFile) {
  EXPECT_EQ(flaw(""), "[safetensors] FILE: found 0 bytes, expected at least 8 for the header's length");
  EXPECT_EQ(flaw(with_length((std::uint64_t{1} << 63) - 1, "{}")),
            "[safetensors] FILE: found a header length of 9223372036854775807 bytes, expected at most 2 (the file has "
            "10); it is cut off, or no safetensors file");
  EXPECT_EQ(flaw(with_length(~std::uint64_t{0}, "{}")),
            "[safetensors] FILE: found a header length of 18446744073709551615 bytes, expected at most 2 (the file has "
            "10); it is cut off, or no safetensors file");
}

TEST_F(Safetensors, RefusesHeadersBeyondTheLimit) {
  const std::string header = "{}" + std::string(8 << 20, ' ');
  EXPECT_EQ(flaw(with_header(header, 0)),
            "[safetensors] FILE: found a header length of 8388610 bytes, expected at most 8388608 (the file has "
            "8388618); it is cut off, or no safetensors file");
}

TEST_F(Safetensors, RefusesTextFiles) {
  EXPECT_EQ(flaw("x,y\n1,2\n3,4\n"),
            "[safetensors] FILE: found a header length of 734698278355545208 bytes, expected at most 4 (the file has "
            "12); it is cut off, or no safetensors file");
}

TEST_F(Safetensors, RefusesWhatIsNoFile) {
  const auto absent = read_safetensors(folder_ / "t");
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().reason, Reason::FILE_NOT_FOUND);
  EXPECT_EQ(shortened(absent.error()), "[safetensors] FILE: cannot be opened: No such file or directory");
  const auto a_folder = read_safetensors(folder_.path());
  ASSERT_FALSE(a_folder);
  EXPECT_EQ(a_folder.error().text, "[safetensors] " + folder_.path().string() + ": found a folder, expected a file");
}

TEST_F(Safetensors, RefusesShapesWhoseProductOverflows) {
  EXPECT_EQ(header_flaw(one(R"("F32")", "[4611686018427387904,8]", "[0,8]"), 8),
            "tensor x: found the shape (4611686018427387904, 8), too large for any memory");
  EXPECT_EQ(header_flaw(one(R"("F32")", "[4294967296,4294967296]", "[0,0]"), 0),
            "tensor x: found the shape (4294967296, 4294967296), too large for any memory");
}

TEST_F(Safetensors, RefusesOffsetsThatDoNotFit) {
  EXPECT_EQ(header_flaw(one(R"("F32")", "[2]", "[8,0]"), 8), "tensor x: found reversed data_offsets 8..0");
  EXPECT_EQ(header_flaw(one(R"("F32")", "[2]", "[0,8]"), 4),
            "tensor x: found data_offsets 0..8, expected an end within the 4 bytes of data; is the file cut off?");
  EXPECT_EQ(
      header_flaw(one(R"("F32")", "[2]", "[18446744073709551608,18446744073709551615]"), 8),
      "tensor x: found data_offsets 18446744073709551608..18446744073709551615, expected an end within the 8 bytes "
      "of data; is the file cut off?");
  EXPECT_EQ(header_flaw(one(R"("F64")", "[2]", "[0,8]"), 8),
            "tensor x: found 8 bytes (data_offsets 0..8), expected 16 for F64 (2)");
  EXPECT_EQ(header_flaw(one(R"("F32")", "[2]", "[4,12]"), 12),
            "tensor x: found data_offsets 4..12 after a hole, expected a begin of 0");
}

std::string two(std::string_view first_name, std::string_view second_name, std::string_view second_offsets) {
  return std::string("{\"")
      .append(first_name)
      .append(R"(":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},")")
      .append(second_name)
      .append(R"(":{"dtype":"F32","shape":[2],"data_offsets":)")
      .append(second_offsets)
      .append("}}");
}

TEST_F(Safetensors, RefusesOverlapsAndHoles) {
  EXPECT_EQ(header_flaw(two("x", "y", "[4,12]"), 12),
            "tensor y: found data_offsets 4..12 that overlap another tensor, expected a begin of 8");
  EXPECT_EQ(header_flaw(two("x", "y", "[0,8]"), 8),
            "tensor y: found data_offsets 0..8 that overlap another tensor, expected a begin of 8");
  EXPECT_EQ(header_flaw(two("x", "y", "[12,20]"), 20),
            "tensor y: found data_offsets 12..20 after a hole, expected a begin of 8");
}

TEST_F(Safetensors, RefusesNamesGivenTwice) {
  EXPECT_EQ(header_flaw(two("x", "x", "[8,16]"), 16), "tensor x: found twice, expected different names");
  EXPECT_EQ(header_flaw(two("x", "\\u0078", "[8,16]"), 16), "tensor x: found twice, expected different names");
  EXPECT_EQ(header_flaw(R"({"__metadata__":{"a":"1","a":"2"}})", 0),
            "metadata: found \"a\" twice, expected different names");
  EXPECT_EQ(header_flaw(R"({"__metadata__":{},"__metadata__":{}})", 0),
            "metadata: found twice, expected different names");
  EXPECT_EQ(header_flaw(R"({"x":{"dtype":"F32","dtype":"F32"}})", 0), "tensor x: dtype: found twice, expected once");
}

TEST_F(Safetensors, RefusesUnsupportedDtypesByName) {
  EXPECT_EQ(header_flaw(one(R"("F16")", "[2]", "[0,4]"), 4),
            "unsupported dtype F16 of tensor x, expected F32, F64 or U32");
}

TEST_F(Safetensors, RefusesMoreAxesThanAShapeHolds) {
  EXPECT_TRUE(read(with_header(one(R"("F32")", "[1,1,1,1,1,1,1,1]", "[0,4]"), 4)));
  EXPECT_EQ(header_flaw(one(R"("F32")", "[1,1,1,1,1,1,1,1,1]", "[0,4]"), 4),
            "tensor x: shape: found more than 8 axes, expected at most that");
}

TEST_F(Safetensors, RefusesValuesOfOtherKinds) {
  EXPECT_EQ(header_flaw(one("7", "[2]", "[0,8]"), 8), "tensor x: dtype: found 7, expected a text");
  EXPECT_EQ(header_flaw(one(R"("F32")", "2", "[0,8]"), 8),
            "tensor x: shape: found 2, expected a list of whole numbers");
  EXPECT_EQ(header_flaw(one(R"("F32")", "[-2]", "[0,8]"), 8),
            "tensor x: shape: found -2, expected whole numbers from 0 to 2^63-1");
  EXPECT_EQ(header_flaw(one(R"("F32")", "[2.0]", "[0,8]"), 8),
            "tensor x: shape: found 2.0, expected whole numbers from 0 to 2^63-1");
  EXPECT_EQ(header_flaw(one(R"("F32")", "[9223372036854775808]", "[0,8]"), 8),
            "tensor x: shape: found 9223372036854775808, expected whole numbers from 0 to 2^63-1");
  EXPECT_EQ(header_flaw(one(R"("F32")", "[18446744073709551616]", "[0,8]"), 8),
            "tensor x: shape: found 18446744073709551616, expected whole numbers from 0 to 2^63-1");
  EXPECT_EQ(header_flaw(one(R"("F32")", "[[2]]", "[0,8]"), 8),
            "tensor x: shape: found a list, expected whole numbers from 0 to 2^63-1");
  EXPECT_EQ(header_flaw(one(R"("F32")", R"(["2"])", "[0,8]"), 8),
            "tensor x: shape: found \"2\", expected whole numbers from 0 to 2^63-1");
  EXPECT_EQ(header_flaw(one(R"("F32")", "[2]", "[0]"), 8),
            "tensor x: data_offsets: found 1 numbers, expected two whole numbers");
  EXPECT_EQ(header_flaw(one(R"("F32")", "[2]", "[0,8,8]"), 8),
            "tensor x: data_offsets: found more than two numbers, expected two whole numbers");
  EXPECT_EQ(header_flaw(one("null", "[2]", "[0,8]"), 8), "tensor x: dtype: found null, expected a text");
  EXPECT_EQ(header_flaw(R"({"x":[]})", 0), "tensor x: found a list, expected an object");
  EXPECT_EQ(header_flaw(R"({"__metadata__":{"a":1}})", 0), "metadata: a: found 1, expected a text");
  EXPECT_EQ(header_flaw(R"({"__metadata__":{"a":{}}})", 0), "metadata: a: found an object, expected a text");
}

TEST_F(Safetensors, RefusesMissingAndUnknownFields) {
  EXPECT_EQ(header_flaw(R"({"x":{"dtype":"F32","shape":[0]}})", 0),
            "tensor x: found no data_offsets, expected dtype, shape and data_offsets");
  EXPECT_EQ(header_flaw(R"({"x":{}})", 0), "tensor x: found no dtype, expected dtype, shape and data_offsets");
  EXPECT_EQ(header_flaw(R"({"x":{"strides":[1]}})", 0),
            "tensor x: found \"strides\", expected dtype, shape and data_offsets");
}

TEST_F(Safetensors, RefusesHeadersThatAreNotJson) {
  EXPECT_EQ(header_flaw("[]", 0), "found \"[]\" as header, expected a JSON object");
  EXPECT_EQ(header_flaw("", 0), "found \"\" as header, expected a JSON object");
  EXPECT_EQ(header_flaw("{} x", 0), "found \"{} x\" at byte 4 of the header, expected JSON");
  EXPECT_EQ(header_flaw("{\"x\":", 0), "found \"\"x\":\" at byte 6 of the header, expected JSON");
  EXPECT_EQ(header_flaw("{\"x\xFF\":1}", 0), "found \"\"x\\xff\" at byte 4 of the header, expected JSON");
  EXPECT_EQ(header_flaw(std::string_view("{}\0x", 4), 0), "found a NUL at byte 2 of the header, expected JSON");
  EXPECT_EQ(header_flaw("\xEF\xBB\xBF{}", 0), "found \"\xEF\xBB\xBF{}\" as header, expected a JSON object");
  EXPECT_NE(header_flaw("{\"x\":" + std::string(100000, '['), 0), "no error");
}

TEST_F(Safetensors, DoesNotWriteTensorsThatDoNotHoldTogether) {
  const auto with = [](NamedTensor tensor) { return TensorFile{{}, {std::move(tensor)}}; };
  EXPECT_EQ(write_flaw(with({"x", DType::f32, Shape(2), bytes_of<float>({1})})),
            "[safetensors] FILE: tensor x: found 4 bytes, expected 8 for F32 (2)");
  EXPECT_EQ(write_flaw(with({"x", DType::f32, Shape(2, dyn), {}})),
            "[safetensors] FILE: tensor x: found the shape (2, dyn), expected known extents");
  EXPECT_EQ(write_flaw(with({"\xFF", DType::f32, Shape(0), {}})),
            "[safetensors] FILE: tensor \\xff: found a name that is not UTF-8, expected UTF-8");
  EXPECT_EQ(
      write_flaw(with({"__metadata__", DType::f32, Shape(0), {}})),
      "[safetensors] FILE: tensor __metadata__: found the name that the format keeps for itself, expected another");
  EXPECT_EQ(write_flaw({{}, {{"x", DType::f32, Shape(0), {}}, {"x", DType::f32, Shape(0), {}}}}),
            "[safetensors] FILE: tensor x: found twice, expected different names");
  EXPECT_EQ(write_flaw({{{"a", "\xFF"}}, {}}), "[safetensors] FILE: metadata \"a\": found other bytes, expected UTF-8");
  EXPECT_EQ(folder_.count_files(), 0U);
}

TEST_F(Safetensors, KeepsNamesThatJsonMustEscape) {
  const std::string name = "a\"b\\c\n\x01\xC3\xA9";
  ASSERT_TRUE(write_safetensors(folder_ / "t", {{{name, name}}, {{name, DType::f32, Shape(0), {}}}}));
  const auto back = read_safetensors(folder_ / "t");
  ASSERT_TRUE(back) << back.error().text;
  EXPECT_NE(back->find(name), nullptr);
  EXPECT_EQ(back->metadata.at(name), name);
}

}  // namespace
}  // namespace tenon
