// Host ports: same port and protocol conflict where the addresses overlap; the wildcard overlaps with all (volcano-nodes, section 1.4).
// A node holds few ports and few classes ask for any, so rows are looked at one by one, by the same text for every backend.
#pragma once
#include "scoring/rule.h"

namespace basalt::scoring {

inline bool PortsConflict(const NodeTable& nodes, const PodClass& cls, size_t row) {
  for (const WantedPort& w : cls.ports)
    for (const PortUse& u : nodes.ports[row])
      if (w.port == u.port && w.protocol == u.protocol && (!w.ip || !u.ip || w.ip == u.ip)) return true;
  return false;
}

}  // namespace basalt::scoring
