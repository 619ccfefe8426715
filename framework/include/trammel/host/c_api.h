/* The C interface of libtrammel: build or load a run, step it, read states, multipliers and channels. C99, no C++.
 *
 * Every function that can fail returns a trammel_status; the text is then trammel_error_text(simulation), or
 * trammel_error_text(NULL) where no simulation came into being (of the calling thread's last failure without one).
 * A null handle, a null pointer for a result and an index out of range are TRAMMEL_USAGE, never a crash. No exception
 * leaves the library. Texts are UTF-8 and end with a zero byte. One thread at a time may be inside the library.
 *
 * Borrowed pointers: texts and arrays that functions hand out belong to the library. Unless said otherwise they are
 * valid until the simulation (or description) is freed. */
#ifndef TRAMMEL_C_API_H
#define TRAMMEL_C_API_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct trammel_simulation trammel_simulation;
typedef struct trammel_description trammel_description;

/* The exit codes of the command line. */
typedef enum trammel_status {
  TRAMMEL_OK = 0,
  TRAMMEL_USAGE = 1,        /* a call that makes no sense: null handle, too late, unknown index */
  TRAMMEL_INPUT = 2,        /* the run file or a value is wrong */
  TRAMMEL_PLUGIN = 3,       /* a plugin or type not found, refused, or broken */
  TRAMMEL_COMPUTE = 4,      /* the computation failed, or results could not be written */
  TRAMMEL_INTERRUPTED = 130 /* the progress function said so */
} trammel_status;

/* "major.minor.patch" */
const char* trammel_version_text(void);

/* Why the last call on this simulation failed; with NULL: the last call of this thread that had none. "" if nothing
 * failed. Valid until the next call on the same handle (with NULL: of the same thread). */
const char* trammel_error_text(const trammel_simulation* simulation);

/* ---- What to run ------------------------------------------------------------------------------------------------- */

/* Zero everything (= {0}) and fill what is needed. */
typedef struct trammel_options {
  const char* const* set; /* "PATH=VALUE" each, as --set */
  size_t set_count;
  const char* const* plugin_path; /* folders, as --plugin-path */
  size_t plugin_path_count;
  int trust; /* not 0: plugins of folders that the run file names are loaded without having been trusted, as --trust */
} trammel_options;

/* Reads and checks the run, loads its plugins and makes the initial state consistent. `options` may be NULL. *out is
 * NULL after a failure. Free it with trammel_free. */
trammel_status trammel_load_file(const char* run_file, const trammel_options* options, trammel_simulation** out);
/* The text of a run file; `name` stands for the file name in messages (NULL: "description"). Relative paths in it start
 * at the current folder. */
trammel_status trammel_load_text(const char* json, const char* name, const trammel_options* options,
                                 trammel_simulation** out);
trammel_status trammel_load_description(const trammel_description* description, const trammel_options* options,
                                        trammel_simulation** out);
/* NULL is allowed. */
void trammel_free(trammel_simulation* simulation);

/* Descriptions: run files made or changed in code. Their failures: trammel_error_text(NULL). Paths are dotted
 * ("system.bodies.crank.mass"); set_json sets anything, new bodies and elements too:
 *   trammel_description_set_text(d, "system.type", "planar");
 *   trammel_description_set_json(d, "system.bodies", "{\"bob\": {\"mass\": 1, \"inertia\": 0.1}}"); */
trammel_status trammel_description_new(const char* name, trammel_description** out);
trammel_status trammel_description_from_text(const char* json, const char* name, trammel_description** out);
trammel_status trammel_description_from_file(const char* run_file, trammel_description** out);
trammel_status trammel_description_set_number(trammel_description* description, const char* path, double value);
trammel_status trammel_description_set_numbers(trammel_description* description, const char* path, const double* values,
                                               size_t count);
trammel_status trammel_description_set_text(trammel_description* description, const char* path, const char* text);
trammel_status trammel_description_set_json(trammel_description* description, const char* path, const char* json);
/* JSON text of what the path leads to, of everything for "". *out is valid until the next call on this description. */
trammel_status trammel_description_get(trammel_description* description, const char* path, const char** out);
trammel_status trammel_description_save(const trammel_description* description, const char* file);
void trammel_description_free(trammel_description* description);

/* ---- Running ----------------------------------------------------------------------------------------------------- */

/* results.csv and summary.json go to this folder; before the first step. */
trammel_status trammel_write_results(trammel_simulation* simulation, const char* folder);

/* One accepted step. *goes_on: 0 when the run was over already, and nothing was done. */
trammel_status trammel_step(trammel_simulation* simulation, int* goes_on);

typedef enum trammel_landing {
  TRAMMEL_DENSE_OUTPUT = 0,        /* steps as in a run; the state shown is that of the last one's interpolant */
  TRAMMEL_STEP_END = 1,            /* the last step ends there */
  TRAMMEL_ANY_LANDING = 0x7fffffff /* none: wrong numbers are refused, not undefined */
} trammel_landing;

/* Steps up to time t, not before trammel_time. *reached: 0 when the run ended before t. */
trammel_status trammel_advance_to(trammel_simulation* simulation, double t, trammel_landing landing, int* reached);

/* Called after every accepted step; 0 interrupts the run. It must not call trammel_free. */
typedef int (*trammel_progress)(double t, double t_end, double h, long steps, void* user);

/* To the end, with the summary if results are written. `progress` may be NULL. */
trammel_status trammel_run(trammel_simulation* simulation, trammel_progress progress, void* user);
/* What trammel_run does at its end, after steps of one's own: closes results.csv, writes summary.json. Before the end of
 * the run: TRAMMEL_INTERRUPTED; it may go on. */
trammel_status trammel_finish(trammel_simulation* simulation);

/* Functions of type `input` take this value from the end of the last step on. */
trammel_status trammel_set_input(trammel_simulation* simulation, const char* name, double value);

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

/* Of the state shown; NaN for a null handle. */
double trammel_time(const trammel_simulation* simulation);
double trammel_end_time(const trammel_simulation* simulation);

typedef enum trammel_quantity {
  TRAMMEL_POSITIONS = 0, /* q of all bodies; problems without bodies: x */
  TRAMMEL_VELOCITIES = 1,
  TRAMMEL_ACCELERATIONS = 2,
  TRAMMEL_MULTIPLIERS = 3,
  TRAMMEL_ANY_QUANTITY = 0x7fffffff /* none, as above */
} trammel_quantity;

/* Borrowed: *data keeps its address for the whole run and shows new numbers after each step (multipliers: after the next
 * call of this function). */
trammel_status trammel_view(trammel_simulation* simulation, trammel_quantity quantity, const double** data,
                            size_t* size);
/* A copy. *size becomes the number of values; `buffer` is filled if capacity suffices, else TRAMMEL_USAGE. NULL with
 * capacity 0 asks for the size. */
trammel_status trammel_copy(trammel_simulation* simulation, trammel_quantity quantity, double* buffer, size_t capacity,
                            size_t* size);

/* The selected output channels, the columns of results.csv without t. */
size_t trammel_channel_count(const trammel_simulation* simulation);
/* NULL for an index out of range. */
const char* trammel_channel_name(const trammel_simulation* simulation, size_t index);
trammel_status trammel_channel_index(trammel_simulation* simulation, const char* name, size_t* index);
/* All of them at the state shown; as trammel_copy. */
trammel_status trammel_channel_values(trammel_simulation* simulation, double* buffer, size_t capacity, size_t* size);

size_t trammel_warning_count(const trammel_simulation* simulation);
const char* trammel_warning(const trammel_simulation* simulation, size_t index);
/* Why the run ended early, or "". Valid until the next call on the simulation. */
const char* trammel_message(const trammel_simulation* simulation);
/* summary.json as it stands; valid until the next call of this function. */
trammel_status trammel_summary(trammel_simulation* simulation, const char** json);

#ifdef __cplusplus
}
#endif

#endif /* TRAMMEL_C_API_H */
