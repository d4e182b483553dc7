// Host ports: same port and protocol conflict where the addresses overlap; the wildcard overlaps with all (volcano-nodes, section 1.4).
// A node holds few ports and few classes ask for any, so rows are looked at one by one, by the same code for every backend.
#pragma once
#include "scoring/rule.h"

namespace basalt::scoring {

struct Ports {
  static constexpr SwitchArgument kSwitch{"predicate.NodePortsEnable", &Profile::node_ports, "refuse nodes where a host port is taken"};

  static bool Applies(const RuleInput& in) { return in.profile.predicates && in.profile.node_ports && !in.cls.ports.empty(); }
  static bool Refuses(const RuleInput& in, size_t row) {
    if (row >= in.nodes.ports.size()) return false;
    for (const WantedPort& w : in.cls.ports)
      for (const PortUse& u : in.nodes.ports[row])
        if (u.count > 0 && w.port == u.port && w.protocol == u.protocol && (!w.ip || !u.ip || w.ip == u.ip)) return true;
    return false;
  }
};

}  // namespace basalt::scoring
