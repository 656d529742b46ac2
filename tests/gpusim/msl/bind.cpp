// bind <preprocessed .metal> <unit>: writes the entries of a source's kernels for the simulator's table
// (include/gpusim/table.h): what Metal's reflection would know of them, and how each of their parameters is passed.
//
// A kernel is `kernel void name(parameters)`, each parameter with its attribute. An entry's argument i is what is bound
// to [[buffer(i)]]; every other parameter is asked for when a thread begins.
#include <cctype>
#include <fstream>
#include <iostream>
#include <map>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Parameter {
  std::string type, attribute;
  unsigned index = 0;  // of a buffer
};
struct Kernel {
  std::string name;
  std::vector<Parameter> parameters;
};

/// What stands between the bracket at `begin` and the one that closes it.
std::string inside(const std::string& text, std::size_t begin) {
  int depth = 0;
  for (std::size_t i = begin; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) return text.substr(begin + 1, i - begin - 1);
  }
  throw std::runtime_error("a bracket is not closed");
}

std::vector<std::string> separated(const std::string& list) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : list) {
    depth += c == '(' || c == '[' || c == '<' ? 1 : c == ')' || c == ']' || c == '>' ? -1 : 0;
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

Parameter parameter_of(const std::string& kernel, const std::string& text) {
  static const std::regex form(R"(\s*([\s\S]*?)\s*\[\[\s*(\w+)\s*(?:\(\s*(\d+)\s*\))?\s*\]\]\s*)");
  std::smatch match;
  if (!std::regex_match(text, match, form)) throw std::runtime_error(kernel + ": no attribute in " + text);
  return {match[1], match[2], match[3].matched ? unsigned(std::stoul(match[3])) : 0};
}

std::vector<Kernel> kernels_of(const std::string& text) {
  static const std::regex begin(R"(\bkernel\s+void\s+(\w+)\s*\()");
  std::vector<Kernel> kernels;
  for (std::sregex_iterator i(text.begin(), text.end(), begin), end; i != end; ++i) {
    Kernel kernel{(*i)[1], {}};
    const auto bracket = std::size_t(i->position() + i->length() - 1);
    for (const std::string& parameter : separated(inside(text, bracket)))
      kernel.parameters.push_back(parameter_of(kernel.name, parameter));
    kernels.push_back(kernel);
  }
  return kernels;
}

/// What a parameter's type is to the host, and how its value is found.
struct Passed {
  std::string type, value;
};
Passed passed(const Kernel& kernel, const Parameter& p) {
  if (p.attribute == "buffer") return {"void*", "*static_cast<void**>(arguments[" + std::to_string(p.index) + "])"};
  static const std::map<std::string, std::string> vectors = {
      {"uint", "std::uint32_t"}, {"uint2", "msl::Uint2"}, {"uint3", "msl::Uint3"}};
  const std::string type = p.type.substr(0, p.type.find_first_of(" \n\t"));
  if (!vectors.contains(type)) throw std::runtime_error(kernel.name + ": a parameter " + p.type + " is not modelled");
  return {vectors.at(type), "msl::" + p.attribute + "<" + vectors.at(type) + ">()"};
}

std::string entry_of(const Kernel& kernel) {
  std::string types, values;
  unsigned buffers = 0;
  for (const Parameter& p : kernel.parameters) {
    const Passed how = passed(kernel, p);
    types += (types.empty() ? "" : ", ") + how.type;
    values += (values.empty() ? "" : ", ") + how.value;
    if (p.attribute == "buffer") buffers = std::max(buffers, p.index + 1);
  }
  std::ostringstream out;
  out << "extern \"C\" void " << kernel.name << "(" << types << ");\n"
      << "static void call_" << kernel.name
      << "([[maybe_unused]] void** arguments) {\n  const msl::OnDevice arithmetic;\n  " << kernel.name << "(" << values
      << ");\n}\n"
      << "[[gnu::section(\"gpusim_entries\"), gnu::used]] static gpusim_kernel entry_of_" << kernel.name << " = {\""
      << kernel.name << "\", &call_" << kernel.name << ", " << buffers << ", msl::pointers, 1024};\n\n";
  return out.str();
}

}  // namespace

int main(int count, char** arguments) try {
  if (count != 3) throw std::runtime_error("usage: bind <preprocessed .metal> <unit>");
  std::ifstream in(arguments[1]);
  std::stringstream text;
  text << in.rdbuf();
  const std::vector<Kernel> kernels = kernels_of(text.str());
  if (kernels.empty()) throw std::runtime_error(std::string("no kernel in ") + arguments[1]);
  std::ofstream out(arguments[2]);
  out << "// Written by bind.\n#include \"gpusim/table.h\"\n#include \"msl/arithmetic.h\"\n#include "
         "\"msl/attributes.h\"\n\n";
  for (const Kernel& kernel : kernels) out << entry_of(kernel);
  return 0;
} catch (const std::exception& error) {
  std::cerr << "[msl] " << error.what() << "\n";
  return 1;
}
