// Where a lane part begins and ends. A lane part is compiled once by the scalar backend (and once by CUDA) and once per Highway target: the including
// unit defines LANE_FN, LANE_NAMESPACE and LANE_BEGIN_TARGET / LANE_END_TARGET (Highway's per-target attributes, empty for scalar) and, for Highway,
// LANE_TOGGLE, so that the files' toggle guards let them in again for the next target.
// Inside a region no function of std:: and no member function of a shared class is called and no lambda written: their code could be compiled for one
// target and used by another. Rules bind raw pointers in their plain part instead.
#ifndef LANES_BEGIN
#define LANES_BEGIN \
  LANE_BEGIN_TARGET \
  namespace basalt::scoring::LANE_NAMESPACE {
#define LANES_END \
  } \
  LANE_END_TARGET
#endif
