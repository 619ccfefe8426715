/* Trammel from C: ten times of a run, its coordinates and multipliers.
 *   in_c RUN.json [PATH=VALUE]... */
#include <stdio.h>
#include <trammel/host/c_api.h>

static int complain(const trammel_simulation* simulation, trammel_status status) {
  fprintf(stderr, "%s\n", trammel_error_text(simulation));
  return (int)status;
}

int main(int count, char** arguments) {
  trammel_options options = {0};
  trammel_simulation* simulation = NULL;
  trammel_status status;
  const double *q = NULL, *lambda = NULL;
  size_t n = 0, m = 0;
  int i, reached = 1;
  if (count < 2) return TRAMMEL_USAGE;
  options.set = (const char* const*)(arguments + 2);
  options.set_count = (size_t)(count - 2);
  status = trammel_load_file(arguments[1], &options, &simulation);
  if (status != TRAMMEL_OK) return complain(NULL, status);
  for (i = 1; i <= 10 && reached; ++i) {
    status = trammel_advance_to(simulation, trammel_end_time(simulation) * i / 10, TRAMMEL_DENSE_OUTPUT, &reached);
    if (status == TRAMMEL_OK) status = trammel_view(simulation, TRAMMEL_POSITIONS, &q, &n);
    if (status == TRAMMEL_OK) status = trammel_view(simulation, TRAMMEL_MULTIPLIERS, &lambda, &m);
    if (status != TRAMMEL_OK) break;
    printf("t %8.4f  q[0] %.17g  lambda[0] %.17g\n", trammel_time(simulation), q[0], m > 0 ? lambda[0] : 0.0);
  }
  if (status != TRAMMEL_OK) status = (trammel_status)complain(simulation, status);
  trammel_free(simulation);
  return (int)status;
}
