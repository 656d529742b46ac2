// plan.h: what the layer is told to do, as unruly.h lists it. A value; the layer guards it.
#pragma once
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::unruly {

class Plan {
 public:
  explicit Plan(const std::string& words) {
    std::istringstream in(words);
    for (std::string word; in >> word;) {
      std::istringstream fields(word);
      std::vector<std::string> parts;
      for (std::string part; std::getline(fields, part, ':');) parts.push_back(part);
      const std::string name = parts.front();
      parts.erase(parts.begin());
      words_[name] = std::move(parts);
    }
  }

  bool says(const char* word) const { return words_.contains(word); }
  long number(const char* word, std::size_t at, long otherwise) const {
    const auto found = words_.find(word);
    return found == words_.end() ? otherwise : std::strtol(found->second.at(at).c_str(), nullptr, 10);
  }
  bool names(const char* word, std::string_view name) const {
    const auto found = words_.find(word);
    return found != words_.end() && (found->second.at(0) == name || found->second.at(0) == "*");
  }

 private:
  std::map<std::string, std::vector<std::string>> words_;
};

}  // namespace tenon::unruly
