"""Mutants of C++ sources: one change of the arithmetic each. Operators: sign, constant, index, dropped term, swapped arguments.

Sources are read as text in the project's format (clang-format: blanks around binary operators). Left alone: comments, texts,
preprocessor lines, tables of parameters, declarations of components, heads of loops, sizes of arrays where they are declared, and messages of what is thrown.
"""
import dataclasses
import re

SYMMETRIC = {"dot", "max", "min", "hypot", "fmax", "fmin", "string", "map", "norm", "hull"}


@dataclasses.dataclass(frozen=True)
class Mutant:
    file: str
    line: int
    column: int
    start: int  # of the replaced text
    end: int
    after: str
    before: str
    operator: str

    def applied(self, text):
        return text[:self.start] + self.after + text[self.end:]

    def probed(self, text):
        """With a trap in front of the statement that is changed: whether anything gets there."""
        looked_at = blanked(text)
        at = max(looked_at.rfind(mark, 0, self.start) for mark in ";{}") + 1
        return text[:at] + " __builtin_trap();" + text[at:]

    def __str__(self):
        return f"{self.file}:{self.line}:{self.column}: {self.operator}: {self.before.strip()} -> {self.after.strip() or 'nothing'}"


def blanked(text):
    """The text with everything that is left alone replaced by blanks, position by position."""
    def blank(match):
        return re.sub(r"[^\n]", "\0", match[0])
    text = re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, text, flags=re.S)
    text = re.sub(r"^[ \t]*#[^\n]*", blank, text, flags=re.M)
    for opening in (r"\bTRAMMEL_PLUGIN\(", r"\bstd::to_string\(", r"\bsdk::table<[^;=]*?>\(", r"\bsdk::group\(", r"\bfor \(", r"\bstatic_assert\(",
                    r"\btemplate <", r"\benum\b[^{;]*\{"):
        text = _without(text, opening)
    return text


def _without(text, opening):
    """Blanks what begins with `opening`, to the bracket that closes it."""
    pairs = {"(": ")", "<": ">", "{": "}"}
    at = 0
    pattern = re.compile(opening)
    while match := pattern.search(text, at):
        first = text[match.end() - 1]
        depth, end = 1, match.end()
        while depth and end < len(text):
            depth += (text[end] == first) - (text[end] == pairs[first])
            end += 1
        text = text[:match.start()] + re.sub(r"[^\n]", "\0", text[match.start():end]) + text[end:]
        at = end
    return text


def _bodies(text):
    """Positions inside function bodies and initialisers: below a brace that is not of a class or a namespace."""
    inside, stack = [False] * len(text), []
    for i, c in enumerate(text):
        if c == "{":
            head = re.split(r"[;{}]", text[max(0, i - 300):i])[-1]
            opens_scope = re.search(r"\b(class|struct|namespace|union)\b", head) and "(" not in head.split(":")[0]
            stack.append(not opens_scope)
        elif c == "}" and stack:
            stack.pop()
        inside[i] = any(stack)
    return inside


def _term_end(text, at):
    """Where the term that begins at `at` ends: at the next sum, comma, bracket or semicolon of its level."""
    depth = 0
    while at < len(text):
        c = text[at]
        if c in "([{":
            depth += 1
        elif c in ")]}":
            if depth == 0:
                return at
            depth -= 1
        elif depth == 0 and (c in ",;?:" or re.match(r" [-+<>=!&|?]+ ", text[at:at + 5])):
            return at
        at += 1
    return at


def _arguments(text, at):
    """Spans of the arguments of a call whose bracket opens before `at`, or nothing."""
    spans, depth, begin = [], 0, at
    for i in range(at, min(len(text), at + 400)):
        c = text[i]
        if c in "([{":
            depth += 1
        elif c in ")]}":
            if depth == 0:
                spans.append((begin, i))
                return spans
            depth -= 1
        elif c == "," and depth == 0:
            spans.append((begin, i))
            begin = i + 1
        elif c in ";\0":
            return []
    return []


def _statement(text, at):
    """The statement up to `at`, with what its brackets and initialisers hold left out."""
    kept, depth = [], 0
    for i in range(at - 1, -1, -1):
        c = text[i]
        if c in ")]" or (c == "}" and (depth or text[i + 1:i + 2] in (",", ";", ")"))):
            depth += 1
        elif c in "([{" and depth:
            depth -= 1
        elif not depth:
            if c in ";{}(":
                break
            kept.append(c)
    return "".join(reversed(kept))


def _declares(text, at):
    """Whether the bracket at `at` is the size of an array that is declared there."""
    statement = _statement(text, at)
    words = re.match(r"\s*((?:(?:static|constexpr|const|mutable|struct) )*)([A-Za-z_][\w:]*)(?:<.*?>)?[*&]? [*&]?\w", statement)
    if not words or words[2] in ("return", "else", "throw", "case", "new", "delete", "goto"):
        return False
    return "=" not in statement.rpartition(",")[2]


def _changes(text):
    """(start, end, replacement, operator) of every change."""
    for match in re.finditer(r"(?<=[\w)\]]) ([-+])(=?) (?=[\w(*-])", text):
        yield match.start(1), match.end(1), "-" if match[1] == "+" else "+", "sign"
        if not match[2]:
            yield match.start(), _term_end(text, match.end()), "", "dropped term"
    for match in re.finditer(r"(?:(?<=[(,=*/] )|(?<=[({])|(?<=return ))-(?=[A-Za-z_(])", text):
        yield match.start(), match.end(), "", "sign"
    for match in re.finditer(r"(?<![\w.])(\d+\.\d+)(?![\w.])", text):
        yield match.start(), match.end(), repr(float(match[1]) * 1.125 or 0.125), "constant"
    for match in re.finditer(r"(?<=[*/] )(\d+)(?![\w.])|(?<![\w.\[])(\d+)(?= [*/] )", text):
        yield match.start(), match.end(), str(int(match[0]) + 1), "constant"
    for match in re.finditer(r"\[([0-6])\]", text):
        if _declares(text, match.start()):
            continue
        yield match.start(1), match.end(1), str(int(match[1]) + 1 if int(match[1]) % 2 == 0 else int(match[1]) - 1), "index"
    for match in re.finditer(r"\.([xyz])\b(?!\()", text):
        yield match.start(1), match.end(1), {"x": "y", "y": "x", "z": "x"}[match[1]], "index"
    for match in re.finditer(r"\b([a-z_]\w*)\((?=[^()\s])", text):
        spans = _arguments(text, match.end())
        if len(spans) < 2 or match[1] in SYMMETRIC or match[1] in ("if", "while", "switch", "return", "require"):
            continue
        (a, b), (c, d) = spans[0], spans[1]
        first, second = text[a:b].strip(), text[c:d].strip()
        if first != second and not re.search(r"\b(const|double|Index|int|auto)\b", first + second):
            yield a, d, f"{second}, {first}", "swapped arguments"


def _thrown(looked_at):
    """Positions in what is thrown: messages."""
    thrown = [False] * len(looked_at)
    for match in re.finditer(r"\bthrow\b[^;]*", looked_at):
        thrown[match.start():match.end()] = [True] * len(match[0])
    return thrown


def of_source(name, text):
    """All mutants of a source, in the order of their places."""
    looked_at = blanked(text)
    inside = _bodies(looked_at)
    thrown = _thrown(looked_at)
    found = []
    for start, end, after, operator in _changes(looked_at):
        before = text[start:end]
        if not inside[start] or thrown[start] or "\0" in looked_at[start:end] or before == after:
            continue
        line = text.count("\n", 0, start) + 1
        column = start - text.rfind("\n", 0, start)
        found.append(Mutant(name, line, column, start, end, after, before, operator))
    return sorted(found, key=lambda mutant: (mutant.start, mutant.end, mutant.after))
