// Selection and evaluation of output channels.
#include "results/columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "results/column_groups.h"
#include "results/signal_columns.h"
#include "trammel/error.h"
#include "trammel/text/suggest.h"

namespace trammel {
namespace {

bool has_prefix(const std::string& name, const std::string& prefix) {
  return name.size() > prefix.size() && name.compare(0, prefix.size(), prefix) == 0 && name[prefix.size()] == '.';
}

}  // namespace

Columns::Columns(const Model& model, ConstrainedModel* numbers, const Observation& observation, MethodChannels method) {
  const auto add = [this](std::unique_ptr<ColumnGroup> group) { groups_.push_back(std::move(group)); };
  const auto of_motion = [&](const AddGroup& add_one) {
    if (numbers != nullptr) {
      add_model_groups(*numbers, model.system(), add_one);
    } else {
      add_problem_groups(model.system(), observation.q.size, add_one);
    }
    add_common_groups(observation.has_energy, numbers != nullptr, add_one);
  };
  of_motion(add);
  add_signal_group(model, numbers, of_motion, add);
  add_method_group(method, add);
  for (const auto& group : groups_) {
    first_value_.push_back(static_cast<Index>(values_.size()));
    values_.resize(values_.size() + group->names.size());
  }
  first_value_.push_back(static_cast<Index>(values_.size()));
}

std::vector<std::string> Columns::available() const {
  std::vector<std::string> all;
  for (const auto& group : groups_) all.insert(all.end(), group->names.begin(), group->names.end());
  return all;
}

void Columns::select(const std::vector<std::string>& channels, bool all) {
  sources_.clear();
  names_.clear();
  units_.clear();
  needed_.clear();
  std::vector<char> taken(values_.size(), 0), group_needed(groups_.size(), 0);
  const auto take = [&](std::size_t group, std::size_t position) {
    char& already = taken[static_cast<std::size_t>(first_value_[group]) + position];
    if (std::exchange(already, 1) != 0) return;
    names_.push_back(groups_[group]->names[position]);
    units_.push_back(groups_[group]->units[position]);
    sources_.push_back({static_cast<std::uint32_t>(group), static_cast<Index>(position)});
    if (std::exchange(group_needed[group], 1) == 0) needed_.push_back(group);
  };
  const auto take_if = [&](auto&& wanted) {
    bool any = false;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      for (std::size_t k = 0; k < groups_[g]->names.size(); ++k) {
        if (!wanted(*groups_[g], groups_[g]->names[k])) continue;
        take(g, k);
        any = true;
      }
    }
    return any;
  };
  if (all || channels.empty()) {
    take_if([&](const ColumnGroup& group, const std::string&) { return all || group.by_default; });
    return;
  }
  const std::string acceleration = ".acceleration";
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const std::string& channel = channels[i];
    if (channel == "t") continue;  // always there, the first column
    const bool exact = take_if([&](const ColumnGroup&, const std::string& name) { return name == channel; });
    if (exact) continue;
    if (channel.size() > acceleration.size() && channel.ends_with(acceleration)) {
      const std::string owner = channel.substr(0, channel.size() - acceleration.size());
      if (take_if([&](const ColumnGroup& group, const std::string& name) {
            return group.on_request && has_prefix(name, owner) && name.compare(owner.size(), 2, ".a") == 0;
          })) {
        continue;
      }
    }
    // "crank" leaves out the accelerations; "crank.ax" asks for one of them.
    // So does "leg[2].knee": its other columns are there without being asked for.
    const bool owner_only =
        channel.find('.') == std::string::npos || std::any_of(groups_.begin(), groups_.end(), [&](const auto& group) {
          return !group->on_request && std::any_of(group->names.begin(), group->names.end(),
                                                   [&](const std::string& name) { return has_prefix(name, channel); });
        });
    if (take_if([&](const ColumnGroup& group, const std::string& name) {
          return has_prefix(name, channel) && !(owner_only && group.on_request);
        })) {
      continue;
    }
    std::vector<std::string> known = available();
    for (const std::string& name : available()) {
      for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1)) {
        known.push_back(name.substr(0, dot));
      }
    }
    throw Error::parameter(fmt::format("channels/{}", i),
                           fmt::format("there is no channel '{}'{}", channel, did_you_mean(channel, known)));
  }
}

// The names selected are in `names_`.
void Columns::keep_selected() {
  std::vector<std::uint32_t> place(groups_.size(), 0);
  std::vector<char> kept(groups_.size(), 0);
  for (const std::size_t group : needed_) kept[group] = 1;
  std::vector<std::unique_ptr<ColumnGroup>> groups;
  first_value_.clear();
  Index size = 0;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    if (kept[g] == 0) continue;
    place[g] = static_cast<std::uint32_t>(groups.size());
    first_value_.push_back(size);
    size += static_cast<Index>(groups_[g]->names.size());
    groups.push_back(std::move(groups_[g]));
    for (auto* texts : {&groups.back()->names, &groups.back()->units}) std::vector<std::string>().swap(*texts);
  }
  first_value_.push_back(size);
  groups_ = std::move(groups);
  for (Source& source : sources_) source.group = place[source.group];
  for (std::size_t& group : needed_) group = place[group];
  values_ = std::vector<double>(static_cast<std::size_t>(size));
  for (auto* x : {&names_, &units_}) x->shrink_to_fit();
  sources_.shrink_to_fit(), needed_.shrink_to_fit(), first_value_.shrink_to_fit();
}

void Columns::row(const Sample& sample, VectorView out) {
  for (std::size_t group : needed_) {
    const Index first = first_value_[group];
    groups_[group]->values(sample, {values_.data() + first, first_value_[group + 1] - first});
  }
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    out[static_cast<Index>(i)] =
        values_[static_cast<std::size_t>(first_value_[sources_[i].group] + sources_[i].position)];
  }
}

DeclaredNames declared_names(const Model& model, Index coordinates, const Columns& columns) {
  DeclaredNames names;
  names.host = model.host();
  if (const Assembly* assembly = model.assembly()) {
    const BodySystem& system = assembly->system;
    for (Index k = 0; k < system.coordinates(); ++k) {
      names.coordinates.emplace_back(system.coordinate_name(k), system.coordinate_unit(k));
    }
  } else {
    const System& system = model.system();
    for (Index i = 0; i < coordinates; ++i) {
      names.coordinates.emplace_back(system.coordinate_name(i), system.coordinate_unit(i));
    }
  }
  names.columns.emplace_back("t", "s");
  for (std::size_t i = 0; i < columns.names().size(); ++i) {
    names.columns.emplace_back(columns.names()[i], columns.units()[i]);
  }
  return names;
}

}  // namespace trammel
