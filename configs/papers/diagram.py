"""Diagrams as SVG files, drawn without any library, for the scripts that draw the papers' figures."""
import math

LEFT, TOP, WIDTH, HEIGHT, GAP = 70, 20, 560, 200, 50  # of a diagram, in pixels
LEAST_MOVE = 0.7  # points nearer to the last one drawn are left out
COLOURS = ["#1f5fa8", "#c0392b", "#2e8b57", "#8e44ad", "#d68910", "#555555"]


class Diagram:
    """Curves over linear or logarithmic axes, `row` diagrams below the top of the picture."""

    def __init__(self, row, x_range, y_range, logarithmic=False):
        self.x_range, self.logarithmic, self.names = x_range, logarithmic, []
        self.y_range = [math.log10(y) for y in y_range] if logarithmic else y_range
        self.bottom = TOP + row * (HEIGHT + GAP) + HEIGHT
        self.parts = [f'<rect x="{LEFT}" y="{self.bottom - HEIGHT}" width="{WIDTH}" height="{HEIGHT}" class="frame"/>']

    def place(self, x, y):
        y = math.log10(y) if self.logarithmic else y
        part = lambda value, limits: (value - limits[0]) / (limits[1] - limits[0])
        return LEFT + WIDTH * part(x, self.x_range), self.bottom - HEIGHT * part(y, self.y_range)

    def ticks(self, xs, ys, labels=None):
        for x in xs:
            at, _ = self.place(x, 10 ** self.y_range[0] if self.logarithmic else self.y_range[0])
            self.parts.append(f'<path d="M{at:.1f} {self.bottom}v-5"/><text x="{at:.1f}" y="{self.bottom + 16}">{x:g}</text>')
        for y, label in zip(ys, labels or [f"{y:g}" for y in ys]):
            _, at = self.place(self.x_range[0], y)
            self.parts.append(f'<path d="M{LEFT} {at:.1f}h5"/>'
                              f'<text x="{LEFT - 6}" y="{at + 4:.1f}" class="left">{label}</text>')

    def title(self, text):
        self.parts.append(f'<text x="{LEFT + WIDTH / 2}" y="{self.bottom + 34}">{text}</text>')

    def level(self, y):
        _, at = self.place(self.x_range[0], y)
        self.parts.append(f'<path d="M{LEFT} {at:.1f}h{WIDTH}" class="level"/>')

    def curve(self, xs, ys, name=None):
        """Curves with a name get a colour each and a line in the legend at the upper left; they end at the frame."""
        drawn = []
        for x, y in zip(xs, ys):
            at = self.place(x, y)
            outside = not self.bottom - HEIGHT - 1 <= at[1] <= self.bottom + 1 or at[0] > LEFT + WIDTH + 1
            if name and outside:
                break
            if not drawn or math.dist(at, drawn[-1]) > LEAST_MOVE:
                drawn.append(at)
        colour = f' style="stroke:{COLOURS[len(self.names)]}"' if name else ""
        self.parts.append('<polyline points="' + " ".join(f"{x:.1f},{y:.1f}" for x, y in drawn) + f'"{colour}/>')
        if name:
            self.names.append(name)
            at = self.bottom - HEIGHT + 18 * len(self.names)
            self.parts.append(f'<polyline points="{LEFT + 10},{at} {LEFT + 34},{at}"{colour}/>'
                              f'<text x="{LEFT + 40}" y="{at + 4}" style="text-anchor:start">{name}</text>')


def write(path, *diagrams):
    size = f"{LEFT + WIDTH + 20} {TOP + len(diagrams) * (HEIGHT + GAP)}"
    style = ("text{font:12px sans-serif;text-anchor:middle;fill:#222}.left{text-anchor:end}"
             ".frame,path{fill:none;stroke:#222}.level{stroke:#999;stroke-dasharray:4 3}"
             "polyline{fill:none;stroke:#1f5fa8;stroke-width:1.5}")
    body = "\n".join(part for diagram in diagrams for part in diagram.parts)
    path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}"><style>{style}</style>'
                    f'<rect width="100%" height="100%" fill="#fff"/>\n{body}\n</svg>\n')
