// Random states of a MuJoCo model with the accelerations that MuJoCo computes, as JSON, to hold an import against.
//
//   mujoco_states MODEL.xml COUNT SEED [QPOS_SCALE [no_actuation]]
//
// Constraints (contacts, limits, dry friction, equalities) are switched off: MuJoCo lets them yield. Controls are zero.
#include <mujoco/mujoco.h>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace {

void print(const char* key, const mjtNum* values, int count, const char* end = ", ") {
  std::printf("\"%s\": [", key);
  for (int k = 0; k < count; ++k) std::printf("%s%.17g", k > 0 ? ", " : "", values[k]);
  std::printf("]%s", end);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4)
    return std::fprintf(stderr, "usage: mujoco_states MODEL.xml COUNT SEED [QPOS_SCALE [no_actuation]]\n"), 1;
  char error[1000] = "";
  mjModel* m = mj_loadXML(argv[1], nullptr, error, sizeof error);
  if (m == nullptr) return std::fprintf(stderr, "%s\n", error), 2;
  m->opt.disableflags |= mjDSBL_CONSTRAINT;
  if (argc > 5) m->opt.disableflags |= mjDSBL_ACTUATION;
  mjData* d = mj_makeData(m);
  std::mt19937 random(static_cast<unsigned>(std::atoi(argv[3])));
  std::uniform_real_distribution<double> uniform(-1, 1);
  const double scale = argc > 4 ? std::atof(argv[4]) : 1;
  std::printf("{\"states\": [\n");
  for (int n = 0; n < std::atoi(argv[2]); ++n) {
    mj_resetData(m, d);
    for (int j = 0; j < m->njnt; ++j) {
      mjtNum* q = d->qpos + m->jnt_qposadr[j];
      const int type = m->jnt_type[j];
      if (type == mjJNT_FREE) {
        for (int k = 0; k < 3; ++k) q[k] += uniform(random);
        q += 3;
      }
      if (type == mjJNT_FREE || type == mjJNT_BALL) {
        for (int k = 0; k < 4; ++k) q[k] = uniform(random);
        mju_normalize4(q);
      } else {
        q[0] += scale * uniform(random);
      }
    }
    for (int k = 0; k < m->nv; ++k) d->qvel[k] = 2 * uniform(random);
    mj_forward(m, d);
    mj_rnePostConstraint(m, d);
    std::printf("%s{", n > 0 ? ",\n" : "");
    print("qpos", d->qpos, m->nq), print("qvel", d->qvel, m->nv);
    std::printf("\"bodies\": [");
    for (int b = 1; b < m->nbody; ++b) {
      mjtNum a[6];
      mj_objectAcceleration(m, d, mjOBJ_BODY, b, a, 0);
      for (int k = 0; k < 3 && !(m->opt.disableflags & mjDSBL_GRAVITY); ++k)
        a[3 + k] += m->opt.gravity[k];  // MuJoCo's is what an accelerometer shows
      mjtNum v[6];
      mj_objectVelocity(m, d, mjOBJ_BODY, b, v, 0);
      const char* name = mj_id2name(m, mjOBJ_BODY, b);
      std::printf("%s{\"name\": \"%s\", ", b > 1 ? ", " : "", name != nullptr ? name : "");
      print("position", d->xipos + 3 * b, 3), print("quaternion", d->xquat + 4 * b, 4);
      print("omega", v, 3), print("velocity", v + 3, 3), print("alpha", a, 3), print("acceleration", a + 3, 3, "}");
    }
    std::printf("]}");
  }
  std::printf("\n], \"mass\": %.17g}\n", mj_getTotalmass(m));
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
