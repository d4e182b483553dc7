/* The C door of Basalt: the only way in for the command line and the Kubernetes bridge.
 *
 * Thread rules: a handle is owned by one thread at a time; different handles are independent. No call keeps a pointer it was given after it
 * returns, unless its comment says so. Nothing throws, prints or exits. Every struct that may grow starts with its size: set it to sizeof.
 * Texts are UTF-8 with an explicit length. Buffers handed out by the library (basalt_buffer) are freed with basalt_buffer_free. */
#ifndef BASALT_H_
#define BASALT_H_

#include <stddef.h>
#include <stdint.h>

#if defined(BASALT_BUILDING)
#define BASALT_API __attribute__((visibility("default")))
#else
#define BASALT_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define BASALT_ABI_VERSION 1

typedef enum basalt_status {
  BASALT_OK = 0,
  BASALT_INVALID_ARGUMENT = 1, /* null pointer, bad struct size, unknown option value: a mistake of the caller */
  BASALT_BAD_INPUT = 2,        /* unreadable text or refused configuration: see the diagnostics */
  BASALT_NOT_FOUND = 3,        /* the named object is not there */
  BASALT_REFUSED = 4,          /* verify: the plan is refused */
  BASALT_UNAVAILABLE = 5,      /* a backend that this machine or build does not have */
  BASALT_OUT_OF_MEMORY = 6,
  BASALT_INTERNAL = 7          /* a broken invariant: a bug; the handle should not be used further */
} basalt_status;

/* Bytes that have to be readable behind every text handed in (their content does not matter). */
#define BASALT_PADDING_BYTES 64

typedef struct basalt_engine basalt_engine;

typedef struct basalt_text { const char* data; size_t size; } basalt_text;
typedef struct basalt_buffer { char* data; size_t size; } basalt_buffer; /* data[size] == 0 */
BASALT_API void basalt_buffer_free(basalt_buffer* buffer);
/* The text as a terminal may show it: control characters but line feeds, bytes that are no UTF-8 and marks that turn the direction of writing as \xNN. */
BASALT_API basalt_status basalt_printable(basalt_text text, basalt_buffer* out);

BASALT_API uint32_t basalt_abi_version(void);
/* {"version", "commit", "compiler", "backends": [...], "targets": [...]} */
BASALT_API basalt_status basalt_version_json(basalt_buffer* out);

typedef struct basalt_options {
  size_t size;
  const char* backend;          /* "auto" (also NULL), "scalar", "simd", "simd:TARGET", "cuda" */
  uint32_t threads;             /* 0: as many as the machine has */
  const char* scheduler_names;  /* comma-separated; "*": every pod is ours; NULL: "volcano" */
  const char* default_queue;    /* NULL: "default" */
  uint32_t offline;             /* 1: pods without a PodGroup get an implied one, as Volcano's controller would make it */
  uint32_t lenient;             /* 1: a known action or plugin that is not built yet is a warning */
  const char* evictions;        /* "minimal", "compat"; NULL: as the configuration says, else minimal */
  const char* node_selector;    /* "key:value,key:value": only nodes with one of these labels are taken in; NULL: all */
} basalt_options;

/* error: may be NULL; receives a sentence where the status is not OK. */
BASALT_API basalt_status basalt_open(const basalt_options* options, basalt_engine** engine, basalt_buffer* error);
BASALT_API void basalt_close(basalt_engine* engine);

/* ---- input ---- */

typedef enum basalt_format { BASALT_FORMAT_AUTO = 0, BASALT_FORMAT_JSON = 1, BASALT_FORMAT_YAML = 2, BASALT_FORMAT_CSV = 3 } basalt_format;

/* Reads one whole text (decompressed), splits it into objects and takes them in. name: for messages. The text has BASALT_PADDING_BYTES readable
 * bytes behind it. A snapshot file is known by its first bytes, whatever the format; it is usually mapped, and brings those bytes with it.
 * BASALT_BAD_INPUT where it cannot be read; objects that were set aside do not change the status. */
BASALT_API basalt_status basalt_read_text(basalt_engine* engine, basalt_text text, const char* name, basalt_format format);

/* Records: the one door for live input and recordings. The buffer holds records back to back, each
 *   uint32 payload_bytes | uint16 type | uint16 flags (0) | payload, padded with zeros to a multiple of 8
 * in the machine's byte order, no pointers, BASALT_PADDING_BYTES readable bytes behind it. */
typedef enum basalt_record {
  BASALT_RECORD_UPSERT = 1,      /* JSON of one object, a List or a typed list (a list page as the server sent it) */
  BASALT_RECORD_REMOVE = 2,      /* JSON of one object: kind, metadata.namespace, name and uid count */
  BASALT_RECORD_WATCH = 3,       /* JSON {"type": ADDED|MODIFIED|DELETED|BOOKMARK, "object": {...}} */
  BASALT_RECORD_CONFIG = 4,      /* text of volcano-scheduler.conf */
  BASALT_RECORD_CYCLE = 5,       /* int64 time in nanoseconds since 1970: a cycle was started here */
  BASALT_RECORD_LIST_BEGIN = 6,  /* kind name: objects of this kind that do not come again before LIST_END are gone */
  BASALT_RECORD_LIST_END = 7,    /* kind name */
  BASALT_RECORD_RESULT = 8,       /* JSON {"write": bind|condition|podgroup|queue|evict, "namespace", "name", "uid", "outcome": done|refused|unknown, "message"}:
                                    what became of a write of basalt_take_writes. A refused bind is forgotten and the pod pending again; an unknown one stands. */
  BASALT_RECORD_ASSUMED = 9,     /* the document of basalt_assumed_json: what an earlier engine knew beside the objects */
  BASALT_RECORD_SHARD = 10       /* JSON list of node names: from the next cycle on pods are placed on these nodes only; until the first such record on all */
} basalt_record;
/* Lists, watches and results need a live engine (offline = 0). A record that cannot be read ends the call with BASALT_BAD_INPUT; those before it count. */
BASALT_API basalt_status basalt_apply(basalt_engine* engine, const void* records, size_t bytes);

/* The configuration: the text of volcano-scheduler.conf (name: for messages), or NULL text.data: the one from a ConfigMap of the input, else
 * Volcano's built-in default. BASALT_BAD_INPUT where it is refused; an earlier one then stays. Has to be called before the first cycle. */
BASALT_API basalt_status basalt_configure(basalt_engine* engine, basalt_text text, const char* name);
/* The configuration in force, with every default filled in, as YAML. */
BASALT_API basalt_status basalt_config_view(basalt_engine* engine, basalt_buffer* out);

typedef enum basalt_severity {
  BASALT_NOTE = 0, BASALT_WARNING = 1, BASALT_BAD_OBJECT = 2, BASALT_UNREADABLE = 3, BASALT_CONFIG_REFUSED = 4
} basalt_severity;
typedef struct basalt_diagnostic {
  basalt_severity severity;
  basalt_text source, object, field, message;
} basalt_diagnostic;
/* Diagnostics since the handle was opened, in order. The texts live until the next call on the handle. */
BASALT_API size_t basalt_diagnostic_count(const basalt_engine* engine);
BASALT_API basalt_status basalt_diagnostic_at(const basalt_engine* engine, size_t index, basalt_diagnostic* out);
/* How often `severity` occurred. */
BASALT_API size_t basalt_severity_count(const basalt_engine* engine, basalt_severity severity);

typedef struct basalt_counts {
  size_t size;
  uint64_t objects, used, skipped_kinds, set_aside, duplicates; /* objects = the sum of the other four */
  uint64_t nodes, pods, podgroups, queues;                      /* read, by kind; implied ones not included */
} basalt_counts;
BASALT_API basalt_status basalt_input_counts(const basalt_engine* engine, basalt_counts* out);

/* ---- cycles ---- */

typedef struct basalt_placement { uint32_t pod, node; } basalt_placement;
/* The arrays live until the next call on the handle that changes it. */
typedef struct basalt_plan {
  size_t size;
  const basalt_placement* binds;     size_t bind_count;
  const basalt_placement* pipelined; size_t pipelined_count;
  const uint32_t* evicted;           size_t evicted_count; /* pods */
  uint64_t waiting_count;            /* pods that wait after this cycle and have a condition to tell */
  uint64_t plan_hash;                /* XXH3 over all cycles so far */
  int64_t next_wakeup_ns;            /* 0: only an event changes the outcome */
  int64_t decide_ns;                 /* time the decision took */
} basalt_plan;

/* One cycle at time now_ns (since 1970). record: 1 keeps its outcome for basalt_plan_json. */
BASALT_API basalt_status basalt_cycle(basalt_engine* engine, int64_t now_ns, int record, basalt_plan* plan);
/* Between two simulated cycles: bound pods become Running, evicted pods vanish after `termination_cycles` further cycles. */
BASALT_API basalt_status basalt_settle(basalt_engine* engine, uint32_t termination_cycles);

/* Names of ids in plans: "namespace/name", "node". The text lives until the handle changes. */
BASALT_API basalt_text basalt_pod_name(const basalt_engine* engine, uint32_t pod);
BASALT_API basalt_text basalt_node_name(const basalt_engine* engine, uint32_t node);

/* ---- writes, live only ---- */

typedef enum basalt_write_kind {
  BASALT_WRITE_BIND = 1,            /* POST body to pods/NAME/binding */
  BASALT_WRITE_POD_CONDITION = 2,   /* strategic merge patch of pods/NAME/status */
  BASALT_WRITE_PODGROUP_STATUS = 3, /* merge patch of the PodGroup (it has no status subresource) */
  BASALT_WRITE_QUEUE_STATUS = 4,    /* merge patch of queues/NAME/status */
  BASALT_WRITE_EVICT = 5,           /* strategic merge patch of pods/NAME/status, then DELETE with the uid as precondition */
  BASALT_WRITE_EVENT = 6            /* only the event */
} basalt_write_kind;
typedef struct basalt_write {
  uint32_t kind;   /* basalt_write_kind */
  uint32_t urgent; /* 1: somebody waits for it; 0: a later value of the same object may replace it before it is sent */
  basalt_text object_kind, namespace_, name, uid;
  basalt_text group; /* binds and evictions: "namespace/name" of the PodGroup; a gang's binds come together */
  basalt_text node;  /* binds */
  basalt_text body;  /* JSON */
  basalt_text event_type, event_reason, event_message; /* event to send with it (a bind's only once it is done); empty type: none */
  int64_t created_seconds, group_created_seconds; /* binds: creationTimestamps of the pod and its PodGroup, since 1970; 0: none */
} basalt_write;
/* What the cycles since the last call want written, in the order of the decisions: only what differs from what the API server is known to hold. The array
 * and its texts live until the next call of this function. Every bind, and every write that failed, is answered by a RESULT record. */
BASALT_API basalt_status basalt_take_writes(basalt_engine* engine, const basalt_write** writes, size_t* count);
/* What the engine knows beside the objects: {"pods": {"NAMESPACE/NAME": {"uid", "node"}}, "podgroups": {"NAMESPACE/NAME": PHASE}}: placements whose bind was sent
 * and is not seen yet, phases that were decided and not seen yet. With the objects it makes another engine decide as this one would. */
BASALT_API basalt_status basalt_assumed_json(basalt_engine* engine, basalt_buffer* out);
/* Hash of what the last cycle decided, as plan_hash is made, of this cycle alone. */
BASALT_API basalt_status basalt_cycle_hash(const basalt_engine* engine, uint64_t* hash);

/* Recordings: text, one JSON object per line (docs/recording.md), as the bridge writes them. */
typedef struct basalt_replay_result {
  size_t size;
  uint64_t lines, cycles;  /* read, and repeated with an equal hash */
  uint64_t differs_line;   /* the line of the first cycle that decided otherwise, 0: none */
  int64_t differs_now_ns;  /* its time */
} basalt_replay_result;
/* Repeats the cycles of a recording in an engine of its own; backend and threads are those of `options`, everything else the recording's. Every cycle's hash is
 * compared. BASALT_OK: all are equal. BASALT_REFUSED: one differs, the first is named. BASALT_BAD_INPUT: a line cannot be used; what came before it counts.
 * error: may be NULL; a sentence where the status is not OK. */
BASALT_API basalt_status basalt_replay(const basalt_options* options, basalt_text recording, basalt_replay_result* result, basalt_buffer* error);

/* For metrics, after a cycle: {"queues": [{"name", "plugin", "weight", "share", "overused", "allocated": {RESOURCE: AMOUNT}, "request", "deserved", "capacity",
 * "realCapacity", "inqueue"}], "jobs": [{"namespace", "name", "queue", "created", "unready", "ready", "share", "retries", "lastPlacedNs"}],
 * "unschedulable": {CAUSE: pods}, "memoryBytes"}. Amounts are in thousandths, of memory in bytes, of pods whole. A job without a gang has no "unready" and
 * "ready", one that no policy shares out no "share". */
BASALT_API basalt_status basalt_figures_json(basalt_engine* engine, basalt_buffer* out);
typedef enum basalt_stage { BASALT_STAGE_OPEN_PLUGIN = 0, BASALT_STAGE_ACTION = 1, BASALT_STAGE_CLOSE = 2 } basalt_stage;
typedef struct basalt_stage_time {
  uint32_t stage;   /* basalt_stage */
  basalt_text name; /* of the plugin or action */
  int64_t ns;
} basalt_stage_time;
/* Where the time of the last cycle went; nothing where it took the plan before it as it stood. The array lives until the next call of this function. */
BASALT_API basalt_status basalt_stage_times(basalt_engine* engine, const basalt_stage_time** times, size_t* count);
/* Forgets the diagnostics told so far: a process that runs for months has to. */
BASALT_API void basalt_drop_diagnostics(basalt_engine* engine);

/* ---- documents ---- */

/* The Schedule document of the recorded cycles (design, section 5): what -o json prints, --plan writes and verify reads. */
BASALT_API basalt_status basalt_plan_json(basalt_engine* engine, basalt_buffer* out);
/* The table a person reads of the last cycle; wide leaves nothing out and adds columns, the time, and every pod that got a node. */
BASALT_API basalt_status basalt_plan_table(basalt_engine* engine, int wide, basalt_buffer* out);

typedef enum basalt_score_by {
  BASALT_SCORE_SUM = 0,    /* the sum that decides */
  BASALT_SCORE_PLUGIN = 1, /* each plugin's part beside it; added from left to right the parts are the sum to the bit */
  BASALT_SCORE_RULE = 2    /* each rule's */
} basalt_score_by;
typedef struct basalt_score_options {
  size_t size;
  const char* pod;      /* "namespace/name"; NULL: every pending pod */
  int by;               /* a basalt_score_by */
  int rows_by_class;    /* 1: one row per pod class, not per pod */
  const char* format;   /* "json", "csv", "table", "npy"; "names": JSON with the axes of the npy array and the names along each */
  int64_t now_ns;       /* nanoseconds since 1970, for rules that depend on the time */
  basalt_text variants; /* YAML or JSON map of names, each with a scheduler configuration or {arguments: {plugin: {key: value}}} that differ from the one in force;
                         * scored one after the other. data NULL: the configuration in force, which stands again afterwards */
} basalt_score_options;
/* A piece of a text that may be longer than memory. Return non-zero to stop. */
typedef int (*basalt_text_callback)(void* user, basalt_text text);
/* Scores of every node as they decide now (before any cycle: the first decision). error: may be NULL; a sentence where the status is not OK.
 * BASALT_NOT_FOUND: no such pending pod; BASALT_BAD_INPUT: variants; BASALT_REFUSED: the callback stopped. */
BASALT_API basalt_status basalt_score(basalt_engine* engine, const basalt_score_options* options, basalt_text_callback callback, void* user,
                                      basalt_buffer* error);

typedef void (*basalt_text_taker)(void* to, basalt_text text);
/* Gives the JSON of an object of the input (as basalt_each_object gives it) by calling take(to, json), or does not call it where there is none. */
typedef void (*basalt_object_source)(void* user, basalt_text kind, basalt_text key, basalt_text_taker take, void* to);
typedef struct basalt_explain_options {
  size_t size;
  const char* what;    /* "pod", "podgroup", "queue", "node" */
  const char* name;    /* "namespace/name" or "name" */
  const char* format;  /* "text", "json" */
  basalt_object_source object; /* for trials of changes; NULL: only changes that need no object are offered */
  void* user;
} basalt_explain_options;
/* Explains the state after the last cycle, of which there has to be one. Offline only. BASALT_NOT_FOUND: out says which names are near. */
BASALT_API basalt_status basalt_explain(basalt_engine* engine, const basalt_explain_options* options, basalt_buffer* out);

/* ---- without an engine ---- */

/* A time as Kubernetes writes it (RFC 3339, such as 2025-11-30T11:53:20.5+01:00) to nanoseconds since 1970. BASALT_BAD_INPUT for anything else, and
 * outside of what 63 bits hold (1677 to 2262). */
BASALT_API basalt_status basalt_parse_time(basalt_text text, int64_t* ns);

/* Called for every object of a text, also for bad ones: kind, its JSON without blanks and managedFields, with its kind, BASALT_PADDING_BYTES readable bytes
 * behind it (none, of size 0, for a bad row of a CSV list). Return non-zero to stop. The texts die after the call. */
typedef int (*basalt_object_callback)(void* user, basalt_text kind, basalt_text json);
typedef void (*basalt_diagnostic_callback)(void* user, const basalt_diagnostic* diagnostic);
/* Splits a text into its objects, and tells what was found wrong, each bad object once. `told` may be NULL. The text as for basalt_read_text.
 * BASALT_BAD_INPUT where the text cannot be read; some of its objects may have been given by then. */
BASALT_API basalt_status basalt_each_object(basalt_text text, const char* name, basalt_format format, basalt_object_callback callback,
                                            basalt_diagnostic_callback told, void* user);

/* The object of this kind and key ("namespace/name" or "name") in a text, as basalt_each_object would give it; of several the one that counts.
 * BASALT_NOT_FOUND where there is none. */
BASALT_API basalt_status basalt_find_object(basalt_text text, const char* name, basalt_format format, basalt_text kind, basalt_text key, basalt_buffer* json);

/* True where the bytes start as a snapshot file does, of any version. */
BASALT_API int basalt_is_snapshot(const void* bytes, size_t size);
/* Snapshot file from objects: open, add every object's JSON (as basalt_each_object gives it), finish. What was added is in the file in this order. */
typedef struct basalt_snapshot_writer basalt_snapshot_writer;
BASALT_API basalt_status basalt_snapshot_writer_open(basalt_snapshot_writer** writer);
/* BASALT_BAD_INPUT where it is no JSON: nothing was added; error (may be NULL) says why. */
BASALT_API basalt_status basalt_snapshot_writer_add(basalt_snapshot_writer* writer, basalt_text json, basalt_buffer* error);
/* Frees the writer. */
BASALT_API basalt_status basalt_snapshot_writer_finish(basalt_snapshot_writer* writer, basalt_buffer* out);

/* JSON of one object, BASALT_PADDING_BYTES readable bytes behind it, as a YAML document that reads back to the same. BASALT_BAD_INPUT where YAML has no place for
 * it (a key that comes twice, a number beyond doubles, a thousand levels); out then names the object, the field and why. */
BASALT_API basalt_status basalt_json_to_yaml(basalt_text json, basalt_buffer* out);

/* Independent check of a Schedule document against the input it was made from. */
typedef struct basalt_verifier basalt_verifier;
BASALT_API basalt_status basalt_verifier_open(const basalt_options* options, basalt_verifier** verifier);
BASALT_API void basalt_verifier_close(basalt_verifier* verifier);
BASALT_API basalt_status basalt_verifier_read_text(basalt_verifier* verifier, basalt_text text, const char* name, basalt_format format);
/* config: the scheduler configuration's text, or data NULL: from a ConfigMap of the input, else the default.
 * BASALT_OK: accepted. BASALT_REFUSED: out holds one finding per line. BASALT_BAD_INPUT: input or plan cannot be read, out says why. */
BASALT_API basalt_status basalt_verifier_check(basalt_verifier* verifier, basalt_text config, basalt_text plan_json, basalt_buffer* out);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* BASALT_H_ */
