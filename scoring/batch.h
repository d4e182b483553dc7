// The entry to scoring: node columns + pod class + profile -> masks and scores, by any backend, bit for bit the same.
#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scoring/profile.h"
#include "snapshot/classes.h"
#include "snapshot/nodes.h"

namespace basalt::scoring {

inline constexpr double kInfeasible = -std::numeric_limits<double>::infinity();  ///< key of a row that cannot take the class

/// Which free amount a request is held against.
enum class Room : uint8_t {
  kIdle,    ///< future AND idle: the filter (FutureIdle) and the first candidate group (Idle) of Volcano's allocate
  kFuture,  ///< future only: candidates that have to wait for releasing pods
  kNone,    ///< no resource comparison at all (backfill of best-effort pods)
};

/// Why a row was refused. Bits, since Volcano collects several plain "unschedulable" reasons on one node:
/// kResource alone (the fit test comes before all others and ends the node), else kPodNumber, at most one of
/// {kUnschedulable, kNodeAffinity, kTaint} (these end the node), then kPorts.
enum Reason : uint16_t {
  kReasonNone = 0,
  kReasonResource = 1,  ///< the first failing dimension comes with it, see RowReason
  kReasonPodNumber = 2,
  kReasonUnschedulable = 4,
  kReasonNodeAffinity = 8,
  kReasonTaint = 16,
  kReasonPorts = 32,
  kReasonAbsent = 128,  ///< no node in this row: not part of any count
  // resource-strategy-fit's proportional predicate:
  kReasonProportional = 64,
  kReasonPolicy = 256,  ///< a policy of the kernel; which rule of it comes with it
};
struct RowReason {
  uint16_t bits = 0;
  ResourceId resource;  ///< kReasonResource: first failing dimension in request order; kReasonProportional: the listed resource
  uint8_t policy = 0;   ///< kReasonPolicy: the code in StaticColumns::policy_refused
};

/// StaticColumns::policy_refused: a refusal that comes before those of the predicates plugin.
inline constexpr uint8_t kPolicyFirst = 128;
/// StaticColumns::fail of a row that only a policy refuses.
inline constexpr uint8_t kFailPolicy = 1;

/// What depends only on the class and the Node object (labels, taints, images, unschedulable): kept per class, renewed for rows
/// whose object_generation changed. Columns have PaddedRows(rows) entries, written by the backend.
struct StaticColumns {
  Column<uint8_t> fail{kReasonAbsent};  ///< 0 or one of kReasonUnschedulable / kReasonNodeAffinity / kReasonTaint / kReasonAbsent / kFailPolicy
  Column<int32_t> affinity_raw;  ///< sum of weights of matching preferred terms; empty column where the class has none or the rule is off
  Column<int32_t> taint_raw;     ///< PreferNoSchedule taints not tolerated; empty column where no taint set has any or the rule is off
  Column<int8_t> image;          ///< image locality 0..100; empty column where it is 0 everywhere or the rule is off
  // What policies of the kernel say of nodes for one pod; put in behind Static(), empty where they say nothing.
  Column<uint8_t> policy_refused;  ///< 0, or a code of the policies' own, with kPolicyFirst
  std::array<Column<double>, kPolicyScores> policy_score;  ///< by PolicyScore
};

/// The extremes that the normalised rules need, over the rows of one candidate group.
struct Norm {
  int32_t affinity_max = 0;
  int32_t taint_max = 0;
  friend bool operator==(Norm, Norm) = default;
};

/// Neighbours that one block of BestOfBlocks compares.
inline constexpr size_t kBestFan = 32;
/// The winners by block: key, rank, and index of the entry.
struct BestColumns {
  double* key;
  uint64_t* rank;
  uint32_t* at;
};

/// One backend. Ranges: begin is a multiple of kRowPad, end another or nodes.rows; columns of keys have PaddedRows(nodes.rows) entries. Stateless and
/// thread-safe; every method is deterministic and equal to the scalar backend bit for bit.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string_view Name() const = 0;  ///< "scalar", "simd:AVX2", ...

  /// Fills all of `out` for rows [begin, end) (begin a multiple of kRowPad). Columns that stay all zero may be left empty only when
  /// begin == 0 and end == nodes.rows.
  virtual void Static(const NodeTable& nodes, const PodClass& cls, const Profile& profile, size_t begin, size_t end, StaticColumns* out) const = 0;

  /// The filters, for groups of kRowPad neighbouring rows: bit j of bits[g] is set where row kRowPad * groups[g] + j can take the class. Covers fit
  /// against `room`, pod number, the static part, ports, proportional. Groups hold rows below PaddedRows(nodes.rows), rows that are no node refuse.
  virtual void FeasibleGroups(const NodeTable& nodes, const PodClass& cls, const Profile& profile, const StaticColumns& fixed, Room room,
                              const uint32_t* groups, size_t count, uint8_t* bits) const = 0;

  /// The extremes of the raw columns over rows with mask[i] != 0.
  virtual Norm Extremes(const StaticColumns& fixed, const uint8_t* mask, size_t begin, size_t end) const = 0;

  /// The deciding totals of the rows of these groups: key[row] = order + batch of Volcano (section 0.5 of its node reference) where the bit is set, else
  /// kInfeasible. Every double equals Volcano's on amd64 to the last bit: order = sum of the node-order rules in profile order from 0.0,
  /// batch = sum of integer score * integer weight.
  virtual void TotalsOfGroups(const NodeTable& nodes, const PodClass& cls, const Profile& profile, const StaticColumns& fixed, Norm norm,
                              const uint32_t* groups, size_t count, const uint8_t* bits, double* key) const = 0;

  /// FeasibleGroups for the rows [begin, end), one byte per row: mask[i] = 1 or 0.
  void Feasible(const NodeTable& nodes, const PodClass& cls, const Profile& profile, const StaticColumns& fixed, Room room, size_t begin, size_t end,
                uint8_t* mask) const;
  /// TotalsOfGroups for the rows [begin, end) with such a mask; what is behind nodes.rows in its group becomes kInfeasible.
  void Totals(const NodeTable& nodes, const PodClass& cls, const Profile& profile, const StaticColumns& fixed, Norm norm, const uint8_t* mask,
              size_t begin, size_t end, double* key) const;

  /// The best node of each block b in [first, last): among entries [kBestFan * b, kBestFan * (b + 1)) of key and rank, all readable, the highest key,
  /// then the lowest rank, then the first. Keys are numbers or kInfeasible. rank null: ranks rise with the entries, so the first of equal keys wins, and
  /// best.rank is not written.
  virtual void BestOfBlocks(const double* key, const uint64_t* rank, size_t first, size_t last, const BestColumns& best) const = 0;
};

/// The plain-loop backend, the oracle of all others.
const Backend& ScalarBackend();
/// The Highway backend for the best target of this machine, or the named one ("AVX2", "SSE4", ...). Null where it is not available.
const Backend* SimdBackend(std::string_view target = {});
/// Names of the Highway targets that this machine can run, best first.
std::vector<std::string> SimdTargets();
/// "auto", "scalar", "simd", "simd:TARGET". "cuda" is not built yet. Null and *error where it is not available.
const Backend* ChooseBackend(std::string_view name, std::string* error);

/// One row, by the same arithmetic text on the scalar lane: the total, or kInfeasible. Used after a placement touched the row.
double RowTotal(const NodeTable& nodes, const PodClass& cls, const Profile& profile, const StaticColumns& fixed, Norm norm, Room room, size_t row);
/// The same row's feasibility only.
bool RowFeasible(const NodeTable& nodes, const PodClass& cls, const Profile& profile, const StaticColumns& fixed, Room room, size_t row);
/// Why the row refuses the class; bits == 0 where it does not.
RowReason ReasonOfRow(const NodeTable& nodes, const PodClass& cls, const Profile& profile, const StaticColumns& fixed, Room room, size_t row);

/// One part of a total: a rule of a plugin. Order parts come first, in the order of the profile; then those of the batch. Each group is added from 0 in
/// that order, then the two: the total to the bit.
struct ScorePart {
  std::string_view plugin, rule;  ///< e.g. "nodeorder", "leastrequested"
  bool batch = false;
};
/// The parts that a profile has.
std::vector<ScorePart> ScoreParts(const Profile& profile);
/// The value of each of them for one row, weight included; 0 where a rule does not count for the class. values: one entry per part.
void RowParts(const NodeTable& nodes, const PodClass& cls, const Profile& profile, const StaticColumns& fixed, Norm norm, size_t row, double* values);

}  // namespace basalt::scoring
