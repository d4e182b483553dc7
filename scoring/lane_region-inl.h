// Where a lane part begins and ends. A lane part is compiled once by the scalar backend (and later once by CUDA) and once per Highway target:
// the including unit defines LANE_NAMESPACE, LANE_BEGIN_TARGET / LANE_END_TARGET (Highway's per-target attributes, empty for scalar) and, for
// Highway, LANE_TOGGLE so that the files' toggle guards let them in again for the next target.
#define LANES_BEGIN \
  LANE_BEGIN_TARGET \
  namespace basalt::scoring::LANE_NAMESPACE {
#define LANES_END \
  } \
  LANE_END_TARGET
