// growth.h: recorded layouts of plugin.h, and what one version may do to the one before: append. Plain functions.
#pragma once
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace tenon::test {

struct Place {
  std::size_t offset = 0, bytes = 0;
  friend bool operator==(const Place&, const Place&) = default;
};

struct RecordedStruct {
  std::map<std::string, Place> fields;
  std::size_t bytes = 0;
};

using Layout = std::map<std::string, RecordedStruct>;  // by the struct's name

inline std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Lines are "struct.field offset bytes", and "struct bytes" after the fields.
inline Layout read_layout(const std::string& text) {
  Layout out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name;
    Place place;
    words >> name >> place.offset;
    const std::size_t dot = name.find('.');
    if (dot == name.npos)
      out[name].bytes = place.offset;
    else if (words >> place.bytes)
      out[name.substr(0, dot)].fields[name.substr(dot + 1)] = place;
  }
  return out;
}

/// The structs that the header calls FROZEN.
inline std::set<std::string> frozen_in(const std::string& header) {
  static const std::regex frozen(R"(typedef (?:struct|union) (\w+) \{ +/\* FROZEN)");
  std::set<std::string> out;
  for (std::sregex_iterator at(header.begin(), header.end(), frozen), end; at != end; ++at) out.insert((*at)[1]);
  return out;
}

/// What is wrong with a struct that is to be `older` with more at its end.
inline std::vector<std::string> growth_faults(const std::string& name, const RecordedStruct& older,
                                              const RecordedStruct& newer, bool frozen) {
  std::vector<std::string> out;
  if (newer.bytes < older.bytes || (frozen && newer.bytes != older.bytes)) out.push_back(name + " has another size");
  for (const auto& [field, place] : older.fields) {
    const auto found = newer.fields.find(field);
    if (found == newer.fields.end())
      out.push_back(name + "." + field + " is gone");
    else if (found->second != place)
      out.push_back(name + "." + field + " moved");
  }
  for (const auto& [field, place] : newer.fields)
    if (!older.fields.contains(field) && place.offset < older.bytes)
      out.push_back(name + "." + field + " was put before the end");
  return out;
}

inline std::vector<std::string> growth_faults(const Layout& older, const Layout& newer,
                                              const std::set<std::string>& frozen) {
  std::vector<std::string> out;
  for (const auto& [name, recorded] : older) {
    if (!newer.contains(name)) {
      out.push_back(name + " is gone");
      continue;
    }
    const auto faults = growth_faults(name, recorded, newer.at(name), frozen.contains(name));
    out.insert(out.end(), faults.begin(), faults.end());
  }
  return out;
}

}  // namespace tenon::test
