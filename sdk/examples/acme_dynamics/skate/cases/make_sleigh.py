"""Writes sleigh.csv: Chaplygin's sleigh, a body on one blade at the distance a behind its centre of mass.

With u the speed of the blade and w the rate of turning

    u' = a w^2,   (I + m a^2) w' = -m a u w,   m u^2 + (I + m a^2) w^2 = m V^2

    u = V tanh(s),  w = W / cosh(s),  s = k t + c,  W = V sqrt(m / (I + m a^2)),  k = a W^2 / V
    phi = (W / k) 2 atan(tanh(s / 2)), from its start

It runs backwards first, turns round and ends straight, blade behind (Neimark, Fufaev, chapter II)."""
import math
import pathlib

m, I, a, W, c = 2.0, 0.5, 0.3, 2.0, -1.0
V = W * math.sqrt((I + m * a * a) / m)
k = a * W * W / V


def angle(s):
    return W / k * 2 * math.atan(math.tanh(s / 2))


def state(t):
    """phi, w, and the velocity of the centre of mass."""
    s = k * t + c
    u, w, phi = V * math.tanh(s), W / math.cosh(s), angle(s) - angle(c)
    return phi, w, u * math.cos(phi) - a * w * math.sin(phi), u * math.sin(phi) + a * w * math.cos(phi)


rows = ["t,phi,omega,vx,vy"]
for i in range(101):
    t = 0.05 * i
    rows.append(",".join(repr(x) for x in (t, *state(t))))
(pathlib.Path(__file__).parent / "sleigh.csv").write_text("\n".join(rows) + "\n")
print("start: vx", state(0)[2], "vy", state(0)[3], "omega", state(0)[1])
