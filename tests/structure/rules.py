"""The rules of the house: which folder of framework/src includes which, how long files are, how large classes."""
import json
import re
import subprocess

SOURCES = ("framework", "plugins", "sdk", "tests", "scripts")
LONGEST_FILE = 450
MOST_MEMBERS = 40  # fields, and methods, of a class
# Classes that hold a run together, where the next field is always at hand: most fields, numbers that only fall.
# Simulation::State: 15 is the aim.
CEILINGS = {"Simulation::State": 15, "Engine": 35}
HOUSE = ("framework/src", "framework/include", "sdk/include", "plugins")  # where classes are measured
# Public headers whose bodies stand in a folder of framework/src.
BODIES = {"trammel/host/simulation.h": "run", "trammel/host/c_api.h": "embed"}
# Friends that stay. A description hands out its parts, whose constructors are nobody else's, and Simulation takes the
# state out of one without a method that users would see; the header is public, and who is a friend part of its classes.
FRIENDS = {("framework/include/trammel/host/run_description.h", "RunDescription"),
           ("framework/include/trammel/host/run_description.h", "Simulation"),
           ("framework/include/trammel/host/run_description.h", "Mechanics")}


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


def friends(root, allowed=frozenset()):
    """Classes that are friends, with a keyword or without; functions, operators above all, may be."""
    found, seen = [], set()
    for path in (path for folder in HOUSE for path in sources(root, folder)):
        place = str(path.relative_to(root))
        code = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
        for name in re.findall(r"\bfriend\s+(?:class\s+|struct\s+|typename\s+)?([\w:]+)\s*(?:<[^;()]*>)?\s*;", code):
            seen.add((place, name))
            if (place, name) not in allowed:
                found.append(f"{place}: a friend, {name}")
    return found + [f"{place}: {name} is no friend any more; take it out of FRIENDS" for place, name in allowed - seen]


def tags(root):
    """What ctags says of classes and their members."""
    folders = [folder for folder in HOUSE if (root / folder).is_dir()]
    command = ["ctags", "-R", "--languages=C++", "--langmap=C++:.h.cpp", "--kinds-C++=mpfsct", "--sort=no",
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
    """All classes: own members are those that stand between their braces.

    Fields whose type is a plain struct of the house count with those of the struct, wherever it stands: what is parted
    only by name is not smaller. ctags tells the type as it is written, so structs behind an alias, in a container or
    behind a pointer are not seen; nor are those that a base or a `using` brings into scope. What is found is a lower
    bound, the same on every machine.
    """

    def __init__(self, root):
        self.all, self.fields, self.methods, self.types = {}, {}, {}, {}
        found = tags(root)
        inside = {}
        self.aliases = {"::".join(filter(None, (tag.get("scope", ""), tag["name"])))
                        for tag in found if tag["kind"] == "typedef"}
        for tag in found:
            inside.setdefault((tag["path"], tag.get("scope", "")), []).append(tag)
        for tag in found:
            if tag["kind"] not in ("class", "struct") or "end" not in tag:
                continue
            full = "::".join(filter(None, (tag.get("scope", ""), tag["name"])))
            own = [t for t in inside.get((tag["path"], full), []) if tag["line"] <= t["line"] <= tag["end"]]
            key = (tag["path"], full)
            self.all[key] = tag
            fields = [t for t in own if t["kind"] == "member" and not is_constant(t)]
            self.fields[key] = {t["name"] for t in fields}
            self.types[key] = {t.get("typeref", "").partition(":")[2] for t in fields}
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

    def plain(self, key):
        return self.all[key]["kind"] == "struct" and not self.methods[key]

    def held(self, key):
        """Plain structs that are fields. Names are looked up as C++ does, from the class's own scope outwards."""
        for written in self.types[key]:
            name = re.sub(r"^((const|mutable|struct|trammel::) ?)+|(\[\d*\])+$", "", written).strip()
            scopes = key[1].split("::")
            for depth in range(len(scopes), -1, -1):
                full = "::".join((*scopes[:depth], name))
                found = [k for k in self.all if k[1] == full]
                near = [k for k in found if k[0] == key[0]] or found
                if near or full in self.aliases:
                    if len(near) == 1 and near[0] != key and self.plain(near[0]):
                        yield near[0]
                    break

    def size(self, key, seen=()):
        """Fields and methods, those of bases, of nested plain structs (without methods) and of plain structs held
        counted; a struct held several times once."""
        fields = {(key[1], name) for name in self.fields[key]}
        methods = set(self.methods[key])
        parts = [other for other in self.nested(key) if not self.methods[other]]
        for other in {*parts, *self.held(key)} - {*seen}:
            fields |= self.size(other, (*seen, key))[0]
        for base in self.bases(key):
            if base not in seen:
                more_fields, more_methods = self.size(base, (*seen, key))
                fields, methods = fields | more_fields, methods | more_methods
        return fields, methods

    def fields_of(self, name):
        """How many; None where there is no such class."""
        found = [key for key in self.all if key[1].removeprefix("trammel::") == name]
        return len(self.size(found[0])[0]) if found else None

    def sizes(self):
        """(name, fields, methods) of every class above the limit."""
        for key in self.all:
            fields, methods = map(len, self.size(key))
            if max(fields, methods) > MOST_MEMBERS:
                yield key[1].removeprefix("trammel::"), fields, methods


def is_constant(tag):
    return "static" in tag.get("properties", "").split(",")


def above_ceilings(root):
    classes = Classes(root)
    sizes = {name: classes.fields_of(name) for name in CEILINGS}
    return [f"{name}: {size} fields; at most {CEILINGS[name]}" if size is not None else f"{name}: there is none"
            for name, size in sizes.items() if size is None or size > CEILINGS[name]]


def large_classes(root):
    return [f"{name}: {fields} fields, {methods} methods; at most {MOST_MEMBERS}" for name, fields, methods in Classes(root).sizes()]
