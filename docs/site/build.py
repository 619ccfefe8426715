"""Builds the site: docs/site/build.py TRAMMEL FOLDER [MKDOCS OPTIONS]

The pages keep their places in the repository, so that their links hold; pictures and files that they link to come along. Added are
the reference, from `trammel reference`, and the pages that mkdocs.yml does not name, under "More". A link to nothing ends the build.
"""
import pathlib
import re
import shutil
import subprocess
import sys

import yaml

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PAGES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "docs/*.md", "docs/decisions/*.md",
         "sdk/guide/*.md", "sdk/conformance/README.md", "configs/*/README.md", "configs/papers/*/README.md", "tests/README.md",
         "tests/*/README.md")
FENCE = re.compile(r"^(```+)(.*?)\n(.*?)^\1\s*?$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(!?)\[([^\]\n]*)\]\(([^)#\s]+)(#[^)\s]*)?\)")
NAMED = re.compile(r"(?<![\[`])`((?:docs|sdk|configs)/[\w/]+\.md)`(?!\])")


class Site:
    def __init__(self, trammel, folder):
        self.folder = folder
        self.pages = folder / "pages"
        shutil.rmtree(folder, ignore_errors=True)
        self.pages.mkdir(parents=True)
        subprocess.run([trammel, "reference", "-o", self.pages / "reference"], check=True, stdout=subprocess.DEVNULL)
        self.names = sorted({file.relative_to(SOURCE) for pattern in PAGES for file in SOURCE.glob(pattern)})
        self.faults = []

    def reference_of(self, readme):
        """The page of a plugin's first type, for links to its README."""
        kind = readme.parts[1].removesuffix("s")
        page = pathlib.Path("reference") / kind / f"{readme.parts[2]}.md"
        return page if (self.pages / page).is_file() else pathlib.Path("reference") / kind / "index.md"

    def link(self, page, match):
        """A link as the site has it; the file it means comes along."""
        picture, text, target, place = match[1], match[2], match[3], match[4] or ""
        if re.match(r"[a-z]+:", target):
            return match[0]
        there = (SOURCE / page.parent / target).resolve()
        if not there.exists() or SOURCE not in there.parents:
            self.faults.append(f"{page}: a link to '{target}', which does not exist")
            return match[0]
        there = there.relative_to(SOURCE)
        if there.parts[0] == "plugins" and there.name == "README.md":
            there = self.reference_of(there)
        elif (SOURCE / there).is_dir():
            if there / "README.md" not in self.names:
                return text
            there /= "README.md"
        elif there not in self.names:
            (self.pages / there).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(SOURCE / there, self.pages / there)
        up = "../" * len(page.parent.parts)
        return f"{picture}[{text}]({up}{there.as_posix()}{place})"

    def text_of(self, page):
        """A page as Python-Markdown wants it."""
        blocks = []

        def block(match):
            language, *words = match[2].split() or [""]
            file = [f"`{word.partition('=')[2]}`:\n\n" for word in words if word.startswith(("file=", "in="))]
            blocks.append(f"{''.join(file)}```{language.replace('jsonc', 'json')}\n{match[3]}```")
            return f"\x00{len(blocks) - 1}\x00"

        text = FENCE.sub(block, (SOURCE / page).read_text())
        text = re.sub(r"(?m)^(?!    ).*$", lambda line: self.line(page, line[0]), text)
        # Lists and tables begin after an empty line.
        text = re.sub(r"(?m)^((?![-|>#]|\d+\. | )\S.*)\n(?=(- |\d+\. |\|))", r"\1\n\n", text)
        return re.sub("\x00(\\d+)\x00", lambda match: blocks[int(match[1])], text)

    def line(self, page, line):
        line = NAMED.sub(lambda match: self.named(page, match), line)
        return LINK.sub(lambda match: self.link(page, match), line)

    def named(self, page, match):
        """A page that is only named becomes a link."""
        there = pathlib.Path(match[1])
        return f"[{match[1]}]({'../' * len(page.parent.parts)}{match[1]})" if there in self.names and there != page else match[0]

    def navigation(self, configuration):
        """The reference by kind, and what nobody named."""
        nav = configuration["nav"]
        named = re.findall(r"[\w/.]+\.md", str(nav))
        for missing in [name for name in named if pathlib.Path(name) not in self.names]:
            self.faults.append(f"mkdocs.yml: {missing} does not exist")
        reference = [{"Overview": "reference/index.md"}, {"Run files and studies": "reference/run_file.md"}]
        for kind in sorted(path for path in (self.pages / "reference").iterdir() if path.is_dir()):
            pages = sorted(file for file in kind.glob("*.md") if file.stem != "index")
            entries = [{"Overview": f"reference/{kind.name}/index.md"}]
            entries += [{file.stem: f"reference/{kind.name}/{file.name}"} for file in pages]
            reference.append({f"{kind.name.capitalize()}s": entries})
        nav.insert(-2, {"Reference": reference})
        rest = [str(page) for page in self.names if str(page) not in named]
        if rest:
            nav.append({"More": rest})

    def mend_theme(self):
        """Debian's mkdocs 1.4.2 lacks two scripts that the theme's pages ask for: jQuery has another name there."""
        (self.pages / "js").mkdir()
        shutil.copy("/usr/share/javascript/jquery/jquery.min.js", self.pages / "js" / "jquery-3.6.0.min.js")
        shutil.copy(SOURCE / "docs" / "site" / "theme_extra.js", self.pages / "js")

    def build(self, options):
        for file in (self.pages / "reference").rglob("*.md"):
            page = file.relative_to(self.pages)
            file.write_text(NAMED.sub(lambda match: self.named(page, match), file.read_text()))
        for page in self.names:
            (self.pages / page).parent.mkdir(parents=True, exist_ok=True)
            (self.pages / page).write_text(self.text_of(page))
        configuration = yaml.safe_load((SOURCE / "docs" / "site" / "mkdocs.yml").read_text())
        self.navigation(configuration)
        if self.faults:
            sys.exit("\n".join(self.faults))
        self.mend_theme()
        colours = subprocess.run(["pygmentize", "-S", "default", "-f", "html", "-a", ".highlight"], check=True,
                                 capture_output=True, text=True).stdout
        (self.pages / "site.css").write_text(colours + (SOURCE / "docs" / "site" / "site.css").read_text())
        configuration.update(docs_dir="pages", site_dir="html")
        (self.folder / "mkdocs.yml").write_text(yaml.safe_dump(configuration, sort_keys=False))
        command = ["mkdocs", "build", "--strict", "--quiet", "--config-file", self.folder / "mkdocs.yml", *options]
        return subprocess.run(command).returncode


if __name__ == "__main__":
    sys.exit(Site(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()).build(sys.argv[3:]))
