/* The C interface from a C99 program: the numbers of the command line's results.csv, and what wrong calls are told.
 * Arguments: TRAMMEL RUN_FILE FOLDER */
#include "trammel/host/c_api.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

#define CHECK(condition)                                             \
  do {                                                               \
    if (!(condition)) {                                              \
      printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
      ++failures;                                                    \
    }                                                                \
  } while (0)

static const char* const pushed_mass =
    "{ \"trammel\": 1,\n"
    "  \"system\": { \"type\": \"planar\", \"bodies\": { \"mass\": { \"mass\": 2, \"inertia\": 0.1 } },\n"
    "    \"forces\": { \"push\": { \"type\": \"applied_force\", \"body\": \"mass\", \"force\": [4, 0],\n"
    "      \"function\": { \"type\": \"input\", \"name\": \"throttle\" } } } },\n"
    "  \"analysis\": { \"type\": \"dynamics\", \"duration\": 1 },\n"
    "  \"formulation\": { \"type\": \"projection\" },\n"
    "  \"integrator\": { \"type\": \"rk4\", \"step\": 0.01 } }";

static int says(const trammel_simulation* simulation, const char* text) {
  const char* said = trammel_error_text(simulation);
  if (strstr(said, text) != NULL) return 1;
  printf("said: '%s'\n", said);
  return 0;
}

/* Every row of the command line's results.csv, bit by bit, by dense output at its time. */
static void compare_with_command_line(const char* trammel, const char* run_file, const char* folder) {
  char command[4096], line[16384];
  trammel_simulation* simulation = NULL;
  FILE* rows;
  size_t channels, read = 0, i;
  double values[256];
  sprintf(command, "'%s' run '%s' --quiet -o '%s'", trammel, run_file, folder);
  CHECK(system(command) == 0);
  sprintf(command, "%s/results.csv", folder);
  rows = fopen(command, "r");
  CHECK(rows != NULL);
  CHECK(trammel_load_file(run_file, NULL, &simulation) == TRAMMEL_OK);
  if (rows == NULL || simulation == NULL) return;
  channels = trammel_channel_count(simulation);
  CHECK(channels > 10 && channels < 256);
  CHECK(fgets(line, sizeof line, rows) != NULL);
  strtok(line, ",");
  for (i = 0; i < channels; ++i) CHECK(strcmp(strtok(NULL, ",\n"), trammel_channel_name(simulation, i)) == 0);
  while (fgets(line, sizeof line, rows) != NULL) {
    const double t = strtod(strtok(line, ","), NULL);
    int reached = 0;
    if (t > 0) CHECK(trammel_advance_to(simulation, t, TRAMMEL_DENSE_OUTPUT, &reached) == TRAMMEL_OK && reached);
    CHECK(trammel_channel_values(simulation, values, 256, &i) == TRAMMEL_OK && i == channels);
    for (i = 0; i < channels; ++i) CHECK(values[i] == strtod(strtok(NULL, ",\n"), NULL));
    ++read;
  }
  fclose(rows);
  CHECK(read > 20);
  CHECK(trammel_advance_to(simulation, trammel_end_time(simulation) + 1, TRAMMEL_DENSE_OUTPUT, &(int){0}) ==
        TRAMMEL_OK);
  trammel_free(simulation);
}

static void states_and_multipliers(const char* run_file) {
  trammel_simulation* simulation = NULL;
  const double *q = NULL, *lambda = NULL, *again = NULL;
  double copy[512], first;
  size_t n = 0, m = 0, copied = 0;
  int goes_on = 0;
  CHECK(trammel_load_file(run_file, NULL, &simulation) == TRAMMEL_OK);
  if (simulation == NULL) return;
  CHECK(trammel_view(simulation, TRAMMEL_POSITIONS, &q, &n) == TRAMMEL_OK && n > 0);
  CHECK(trammel_copy(simulation, TRAMMEL_POSITIONS, NULL, 0, &copied) == TRAMMEL_OK && copied == n);
  CHECK(trammel_copy(simulation, TRAMMEL_POSITIONS, copy, n, &copied) == TRAMMEL_OK);
  CHECK(memcmp(copy, q, n * sizeof(double)) == 0);
  CHECK(trammel_step(simulation, &goes_on) == TRAMMEL_OK && goes_on == 1);
  CHECK(memcmp(copy, q, n * sizeof(double)) != 0);
  CHECK(trammel_view(simulation, TRAMMEL_POSITIONS, &again, &n) == TRAMMEL_OK && again == q);
  CHECK(trammel_view(simulation, TRAMMEL_MULTIPLIERS, &lambda, &m) == TRAMMEL_OK && m > 0);
  first = lambda[0];
  CHECK(trammel_step(simulation, &goes_on) == TRAMMEL_OK);
  CHECK(trammel_view(simulation, TRAMMEL_MULTIPLIERS, &again, &m) == TRAMMEL_OK && again == lambda && *again != first);
  CHECK(trammel_time(simulation) > 0);
  trammel_free(simulation);
}

static int stop_after(double t, double t_end, double h, long steps, void* user) {
  (void)t, (void)t_end, (void)h;
  return steps < *(long*)user;
}

static void text_and_input(void) {
  trammel_simulation* simulation = NULL;
  const double* v = NULL;
  const char* summary = NULL;
  size_t n = 0, index = 0;
  int reached = 0;
  long most = 5;
  CHECK(trammel_load_text(pushed_mass, "mass", NULL, &simulation) == TRAMMEL_OK);
  if (simulation == NULL) return;
  CHECK(trammel_set_input(simulation, "throttle", 1) == TRAMMEL_OK);
  CHECK(trammel_advance_to(simulation, 0.25, TRAMMEL_STEP_END, &reached) == TRAMMEL_OK && reached);
  CHECK(trammel_view(simulation, TRAMMEL_VELOCITIES, &v, &n) == TRAMMEL_OK && n == 3);
  CHECK(fabs(v[0] - 0.5) < 1e-12);
  CHECK(trammel_set_input(simulation, "throtle", 1) == TRAMMEL_INPUT && says(simulation, "did you mean 'throttle'?"));
  CHECK(trammel_channel_index(simulation, "mass.vx", &index) == TRAMMEL_OK);
  CHECK(strcmp(trammel_channel_name(simulation, index), "mass.vx") == 0);
  CHECK(trammel_channel_index(simulation, "mass.vxx", &index) == TRAMMEL_INPUT &&
        says(simulation, "did you mean 'mass.vx'?"));
  CHECK(trammel_advance_to(simulation, 0.1, TRAMMEL_STEP_END, &reached) == TRAMMEL_USAGE &&
        says(simulation, "time runs forward"));
  CHECK(trammel_write_results(simulation, "out") == TRAMMEL_USAGE && says(simulation, "comes before the first step"));
  most += 25;
  CHECK(trammel_run(simulation, stop_after, &most) == TRAMMEL_INTERRUPTED && says(simulation, "interrupted at t ="));
  CHECK(trammel_run(simulation, NULL, NULL) == TRAMMEL_OK && says(simulation, ""));
  CHECK(trammel_step(simulation, &reached) == TRAMMEL_OK && reached == 0);
  CHECK(fabs(v[0] - 2) < 1e-12);
  CHECK(trammel_summary(simulation, &summary) == TRAMMEL_OK && strstr(summary, "\"completed\"") != NULL);
  CHECK(strcmp(trammel_message(simulation), "") == 0);
  trammel_free(simulation);
}

static void descriptions(void) {
  trammel_description* description = NULL;
  trammel_simulation* simulation = NULL;
  const double gravity[] = {0, -9.81};
  const double* a = NULL;
  const char* text = NULL;
  size_t n = 0;
  CHECK(trammel_description_new(NULL, &description) == TRAMMEL_OK);
  CHECK(trammel_description_set_text(description, "system.type", "planar") == TRAMMEL_OK);
  CHECK(trammel_description_set_numbers(description, "system.gravity", gravity, 2) == TRAMMEL_OK);
  CHECK(trammel_description_set_json(description, "system.bodies", "{ \"ball\": { \"mass\": 1, \"inertia\": 1 } }") ==
        TRAMMEL_OK);
  CHECK(trammel_description_set_number(description, "system.bodies.ball.mass", 3) == TRAMMEL_OK);
  CHECK(trammel_description_set_number(description, "system.bodies.bal.mass", 3) == TRAMMEL_INPUT);
  CHECK(says(NULL, "did you mean 'ball'?"));
  CHECK(trammel_description_set_json(description, "analysis", "{ \"type\": \"dynamics\", \"duration\": 1 }") ==
        TRAMMEL_OK);
  CHECK(trammel_description_set_json(description, "formulation", "{ \"type\": \"projection\" }") == TRAMMEL_OK);
  CHECK(trammel_description_set_json(description, "integrator", "{ \"type\": \"rk4\", \"step\": ") == TRAMMEL_INPUT);
  CHECK(trammel_description_set_json(description, "integrator", "{ \"type\": \"rk4\", \"step\": 0.1 }") == TRAMMEL_OK);
  CHECK(trammel_description_get(description, "system.gravity.1", &text) == TRAMMEL_OK && strcmp(text, "-9.81") == 0);
  CHECK(trammel_load_description(description, NULL, &simulation) == TRAMMEL_OK);
  trammel_description_free(description);
  if (simulation == NULL) return;
  CHECK(trammel_view(simulation, TRAMMEL_ACCELERATIONS, &a, &n) == TRAMMEL_OK && n == 3 && fabs(a[1] + 9.81) < 1e-12);
  trammel_free(simulation);
}

static void wrong_calls(const char* run_file) {
  const char* const settings[] = {"integrator.type=no_such_method"};
  const char* const broken[] = {"no equals sign"};
  trammel_options options = {0};
  trammel_simulation* simulation = (trammel_simulation*)1;
  const double* data = NULL;
  double small[1];
  size_t n = 0;
  int answer = 0;
  CHECK(trammel_load_file("/no/such/run.json", NULL, &simulation) == TRAMMEL_INPUT && simulation == NULL);
  CHECK(says(NULL, "/no/such/run.json: "));
  CHECK(trammel_load_text("{ \"trammel\": 1, }", NULL, NULL, &simulation) == TRAMMEL_INPUT);
  CHECK(says(NULL, "description:1: a comma before '}'"));
  CHECK(trammel_load_text("{ \"trammel\": 1, \"system\": {} }", "mine", NULL, &simulation) == TRAMMEL_INPUT);
  CHECK(says(NULL, "mine:1: /system: missing key 'type'"));
  options.set = settings;
  options.set_count = 1;
  CHECK(trammel_load_file(run_file, &options, &simulation) == TRAMMEL_PLUGIN && says(NULL, "no_such_method"));
  options.set = broken;
  CHECK(trammel_load_file(run_file, &options, &simulation) == TRAMMEL_USAGE && says(NULL, "expected PATH=VALUE"));
  options.set = NULL;
  CHECK(trammel_load_file(run_file, &options, &simulation) == TRAMMEL_USAGE && says(NULL, "options.set is NULL"));
  CHECK(trammel_load_file(NULL, NULL, &simulation) == TRAMMEL_USAGE && says(NULL, "the run file's name is NULL"));
  CHECK(trammel_load_file(run_file, NULL, NULL) == TRAMMEL_USAGE);

  CHECK(trammel_step(NULL, &answer) == TRAMMEL_USAGE && says(NULL, "the simulation is NULL"));
  CHECK(trammel_view(NULL, TRAMMEL_POSITIONS, &data, &n) == TRAMMEL_USAGE);
  CHECK(trammel_channel_count(NULL) == 0 && trammel_channel_name(NULL, 0) == NULL && trammel_warning(NULL, 0) == NULL);
  CHECK(isnan(trammel_time(NULL)) && strcmp(trammel_message(NULL), "") == 0);
  CHECK(trammel_description_set_number(NULL, "x", 1) == TRAMMEL_USAGE && says(NULL, "the description is NULL"));
  trammel_free(NULL);
  trammel_description_free(NULL);

  CHECK(trammel_load_file(run_file, NULL, &simulation) == TRAMMEL_OK);
  CHECK(trammel_step(simulation, NULL) == TRAMMEL_USAGE && says(simulation, "the place for the answer is NULL"));
  CHECK(trammel_copy(simulation, TRAMMEL_POSITIONS, small, 1, &n) == TRAMMEL_USAGE && n > 1 &&
        says(simulation, "the buffer holds 1"));
  CHECK(trammel_view(simulation, (trammel_quantity)77, &data, &n) == TRAMMEL_USAGE &&
        says(simulation, "no such quantity"));
  CHECK(trammel_advance_to(simulation, 1, (trammel_landing)5, &answer) == TRAMMEL_USAGE);
  CHECK(trammel_channel_name(simulation, 100000) == NULL);
  CHECK(trammel_write_results(simulation, "/dev/null/x") == TRAMMEL_COMPUTE && says(simulation, "/dev/null/x"));
  CHECK(trammel_step(simulation, &answer) == TRAMMEL_OK && strcmp(trammel_error_text(simulation), "") == 0);
  trammel_free(simulation);
}

int main(int count, char** arguments) {
  if (count != 4) return 2;
  CHECK(strchr(trammel_version_text(), '.') != NULL);
  compare_with_command_line(arguments[1], arguments[2], arguments[3]);
  states_and_multipliers(arguments[2]);
  text_and_input();
  descriptions();
  wrong_calls(arguments[2]);
  if (failures == 0) printf("all well\n");
  return failures == 0 ? 0 : 1;
}
