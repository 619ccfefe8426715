"""The rules of the house: which folder of framework/src includes which, how long files are, how large classes."""
import json
import re
import subprocess

SOURCES = ("framework", "plugins", "sdk", "tests", "scripts")
LONGEST_FILE = 450
MOST_MEMBERS = 40  # fields, and methods, of a class
HOUSE = ("framework/src", "framework/include", "sdk/include", "plugins")  # where classes are measured
# Public headers whose bodies stand in a folder of framework/src.
BODIES = {"trammel/simulation.h": "run", "trammel/c_api.h": "embed"}


def layers(root):
    """Folder -> folders it uses, in the order of framework/CMakeLists.txt, ground floor first."""
    text = (root / "framework/CMakeLists.txt").read_text(encoding="utf-8")
    lines = re.findall(r"^(?:trammel_folder\(|# )([\w/]+)(?: STATIC)?(?: USES ([\w/ ]+))?\)?$", text, re.M)
    return {folder: uses.split() for folder, uses in lines if uses or f"trammel_folder({folder})" in text}


def sources(root, folder, endings=(".h", ".cpp", ".inc")):
    return sorted(path for path in (root / folder).rglob("*") if path.suffix in endings)


def includes(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if match := re.match(r'\s*#\s*include\s*["<]([^">]+)[">]', line):
            yield number, match[1]


def broken_layers(root):
    """Folders that use a higher one, and includes that the table does not allow."""
    found, table = [], layers(root)
    floor = list(table)
    for folder, uses in table.items():
        found += [f"{folder} USES {other}, which does not stand below it" for other in uses
                  if other not in floor[:floor.index(folder)]]
    for path in sources(root, "framework/src"):
        place = path.relative_to(root / "framework/src")
        if len(place.parts) == 1:
            continue
        folder = place.parent.as_posix()
        if folder not in table:
            found.append(f"{place}: framework/CMakeLists.txt does not know the folder")
            continue
        for number, name in includes(path):
            other = name.rpartition("/")[0]
            if other in table and other != folder and other not in table[folder]:
                found.append(f"{place}:{number}: {folder} does not use {other} ({name})")
            owner = BODIES.get(name)
            if owner and owner != folder and floor.index(owner) > floor.index(folder):
                found.append(f"{place}:{number}: {folder} stands below {owner}, which has the bodies of {name}")
    return found


def long_files(root):
    found = []
    for folder in SOURCES:
        for path in sources(root, folder, (".h", ".cpp", ".inc", ".py", ".js")):
            length = len(path.read_text(encoding="utf-8").splitlines())
            if length > LONGEST_FILE:
                found.append(f"{path.relative_to(root)}: {length} lines, more than {LONGEST_FILE}")
    return found


def friends(root):
    found = []
    for path in sources(root, "framework/src"):
        place = str(path.relative_to(root))
        for name in re.findall(r"^\s*friend\s+(?:class|struct)\s+(\w+)", path.read_text(encoding="utf-8"), re.M):
            found.append(f"{place}: a friend, {name}")
    return found


def tags(root):
    """What ctags says of classes and their members."""
    folders = [folder for folder in HOUSE if (root / folder).is_dir()]
    command = ["ctags", "-R", "--languages=C++", "--langmap=C++:.h.cpp", "--kinds-C++=mpfsc", "--sort=no",
               "--fields=+neSzsi-P", "--fields-C++=+{properties}", "--output-format=json", "-f", "-", *folders]
    output = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    return [json.loads(line) for line in output.splitlines()]


def is_method_of(tag, name):
    special = tag["name"].lstrip("~") == name or "operator" in tag["name"]
    return tag["kind"] in ("prototype", "function") and not special


def arity(tag):
    """Overloads are told apart by their name and number of parameters."""
    inside = tag.get("signature", "()").strip()
    return 0 if re.match(r"\(\s*(void)?\s*\)", inside) else inside.count(",") + 1


class Classes:
    """All classes: own members are those that stand between their braces."""

    def __init__(self, root):
        self.all, self.fields, self.methods = {}, {}, {}
        found = tags(root)
        inside = {}
        for tag in found:
            inside.setdefault((tag["path"], tag.get("scope", "")), []).append(tag)
        for tag in found:
            if tag["kind"] not in ("class", "struct") or "end" not in tag:
                continue
            full = "::".join(filter(None, (tag.get("scope", ""), tag["name"])))
            own = [t for t in inside.get((tag["path"], full), []) if tag["line"] <= t["line"] <= tag["end"]]
            key = (tag["path"], full)
            self.all[key] = tag
            self.fields[key] = {t["name"] for t in own if t["kind"] == "member" and not is_constant(t)}
            self.methods[key] = {(t["name"], arity(t)) for t in own if is_method_of(t, tag["name"])}

    def nested(self, key):
        path, full = key
        return [other for other in self.all if other[0] == path and other[1].startswith(full + "::")]

    def bases(self, key):
        """Those of one name in the house; of several with that name, the one in the same file."""
        for base in self.all[key].get("inherits", "").split(","):
            name = re.sub(r"<.*", "", base).split("::")[-1].strip()
            found = [k for k, tag in self.all.items() if name and tag["name"] == name and k != key]
            near = [k for k in found if k[0] == key[0]]
            if near or len(found) == 1:
                yield (near or found)[0]

    def size(self, key, seen=()):
        """Fields and methods, those of bases and of nested plain structs (without methods) counted."""
        fields = {(key[1], name) for name in self.fields[key]}
        methods = set(self.methods[key])
        for other in self.nested(key):
            if not self.methods[other]:
                fields |= {(other[1], name) for name in self.fields[other]}
        for base in self.bases(key):
            if base not in seen:
                more_fields, more_methods = self.size(base, (*seen, key))
                fields, methods = fields | more_fields, methods | more_methods
        return fields, methods

    def sizes(self):
        """(name, fields, methods) of every class above the limit."""
        for key in self.all:
            fields, methods = map(len, self.size(key))
            if max(fields, methods) > MOST_MEMBERS:
                yield key[1].removeprefix("trammel::"), fields, methods


def is_constant(tag):
    return "static" in tag.get("properties", "").split(",")


def ceilings(file):
    """Classes that are still too large: name -> fields, methods."""
    rows = [line.split() for line in file.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return {name: (int(fields), int(methods)) for name, fields, methods in rows}


def wrong_sizes(root, allowed):
    found, seen = [], set()
    for name, fields, methods in Classes(root).sizes():
        seen.add(name)
        if name not in allowed:
            found.append(f"{name}: {fields} fields, {methods} methods; at most {MOST_MEMBERS}")
        elif (fields, methods) != allowed[name]:
            found.append(f"{name}: {fields} fields, {methods} methods; large_classes.txt says %d and %d, "
                         "numbers that may only fall and have to follow" % allowed[name])
    small = [name for name in allowed if name not in seen]
    return found + [f"{name}: no longer too large; take it out of large_classes.txt" for name in small]
