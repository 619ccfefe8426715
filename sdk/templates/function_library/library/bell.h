/* The library that the plugin wraps. EDIT: it stands for yours; remove the folder, and name yours in CMakeLists.txt. */
#pragma once
#ifdef __cplusplus
extern "C" {
#endif

typedef struct bell bell;
bell* bell_open(double width); /* NULL: not possible */
void bell_close(bell* it);
/* The value and `order` derivatives (3 at most) of exp(-x^2 / (2 width^2)). 0: done. */
int bell_values(const bell* it, double x, int order, double* out);

#ifdef __cplusplus
}
#endif
