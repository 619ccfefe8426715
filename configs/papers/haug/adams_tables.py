"""Tables 7.4.1, 7.4.2, 7.4.8, 7.4.9, 7.4.11 and 7.4.12 of Haug, apart from Trammel, in decimals of 40 digits.

Prints adams_tables.csv, the values behind the studies beside it: table, t or h, k, the approximation, its error E_k, the error in
percent of the exact value. For Tables 7.4.11 and 7.4.12 both starts: that of the text, and "zero", the one behind the print, where
differences that do not exist yet are taken as zero while the corrector has its full order. Last, for the equal work of 7.4.4, order 4
with exact starting values: the predictor with h / 2 and PECE with h.
"""
from decimal import Decimal, getcontext
from fractions import Fraction

getcontext().prec = 40


def decimal(fraction):
    return Decimal(fraction.numerator) / Decimal(fraction.denominator)


def integral_of_product(first, count):
    """1/i! times the integral from 0 to 1 of (s + first)(s + first + 1)... for i = 0 ... count - 1 factors, exactly."""
    coefficients, result = [Fraction(1)], []
    for i in range(count):
        result.append(sum(c / (power + 1) for power, c in enumerate(coefficients)))
        shifted = [Fraction(0)] + coefficients
        coefficients = [(a + (first + i) * b) / (i + 1) for a, b in zip(shifted, coefficients + [Fraction(0)])]
    return [decimal(x) for x in result]


GAMMA, GAMMA_STAR = integral_of_product(0, 6), integral_of_product(-1, 6)  # (7.4.12), (7.4.15)


def differences(values, count):
    """nabla^0 f_n, nabla^1 f_n, ... of f_n, f_{n-1}, ..."""
    result = []
    for _ in range(min(count, len(values))):
        result.append(values[0])
        values = [a - b for a, b in zip(values, values[1:])]
    return result


def taylor(t, k):
    term, total = Decimal(1), Decimal(0)
    for i in range(k):
        total += term
        term *= t / (i + 1)
    return total


def newton(s, k):
    """(7.4.4) through t_n = 1 and the points h = 0.1 before it, read at t_n + s h."""
    D = differences([(Decimal(1) - Decimal(i) / 10).exp() for i in range(k)], k)
    basis, total = Decimal(1), Decimal(0)
    for i in range(k):
        total += D[i] * basis
        basis *= Decimal(s + i) / (i + 1)
    return total


def adams(h, k, corrector=None, exact_start=False):
    """x(10) of x' = x: (7.4.11), or PECE with (7.4.15); `corrector`: None, "text" or "zero"."""
    begin = k - 1 if exact_start else 0
    past = [(h * i).exp() for i in range(begin, -1, -1)]  # f_n, f_{n-1}, ...
    x = past[0]
    for _ in range(begin, int(Decimal(10) / h)):
        D = differences(past, k)
        if corrector == "zero":
            D += [Decimal(0)] * (k - len(D))
        predicted = x + h * sum(g * d for g, d in zip(GAMMA, D))
        E = [predicted]
        for d in D:
            E.append(E[-1] - d)
        x = x + h * sum(g * e for g, e in zip(GAMMA_STAR, E)) if corrector else predicted
        past = [x] + past[:k - 1]
    return x


def row(table, at, k, value, exact):
    print(f"{table},{at},{k},{value:.12f},{value - exact:.12f},{100 * abs(value - exact) / exact:.12f}")


if __name__ == "__main__":
    print("table,at,k,value,error,percent")
    for t in (Decimal("0.5"), Decimal(1)):
        for k in range(1, 15):
            row("7.4.1", t, k, taylor(t, k), t.exp())
    for s in (1, 2):
        for k in range(1, 12):
            row("7.4.2", 1 + Decimal(s) / 10, k, newton(s, k), (1 + Decimal(s) / 10).exp())
    for table, h in (("7.4.8", Decimal("0.1")), ("7.4.9", Decimal("0.01"))):
        for k in range(1, 6):
            row(table, h, k, adams(h, k), Decimal(10).exp())
    for table, h in (("7.4.11", Decimal("0.1")), ("7.4.12", Decimal("0.01"))):
        for start in ("text", "zero"):
            for k in range(1, 6):
                row(f"{table} {start}", h, k, adams(h, k, start), Decimal(10).exp())
    for h in (Decimal("0.1"), Decimal("0.05"), Decimal("0.025")):
        row("7.4.4 PECE", h, 4, adams(h, 4, "text", exact_start=True), Decimal(10).exp())
        row("7.4.4 predictor", h / 2, 4, adams(h / 2, 4, exact_start=True), Decimal(10).exp())
