"""The reference pages: every type that can be loaded has one, with equations, source and every parameter told.

Arguments: TRAMMEL [unittest arguments]
"""
import json
import re

from support import SOURCE, Case, main


class Reference(Case):
    def setUp(self):
        super().setUp()
        result = self.trammel("reference", "-o", "pages")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.plugins = json.loads(self.trammel("plugins", "--json").stdout)
        self.components = [component for plugin in self.plugins for component in plugin["components"]]

    def page(self, component):
        return (self.folder / "pages" / component["kind"] / f"{component['type']}.md").read_text()

    def test_every_type_is_told(self):
        self.assertGreater(len(self.components), 120)
        for component in self.components:
            with self.subTest(component["kind"], type=component["type"], host=component["host"]):
                page = self.page(component)
                for section in ("Equations", "Parameters", "Example", "Source"):
                    self.assertRegex(page, rf"(?m)^## {section}\n\n\S|^## {section}\n\n    \S")
                self.assertNotIn("None given", page)
                if component["kind"] in ("integrator", "formulation"):
                    self.assertNotEqual(component["citation"], "")
                for parameter in component["parameters"] + component.get("body_parameters", []):
                    self.assertRegex(page, rf"(?m)^\| `{parameter['name']}` \|")
                    self.assertRegex(parameter["description"], r"\w.*\.$")

    def test_pages_and_links(self):
        pages = sorted((self.folder / "pages").rglob("*.md"))
        types = {(component["kind"], component["type"]) for component in self.components}
        kinds = {component["kind"] for component in self.components}
        self.assertEqual(len(pages), len(types) + len(kinds) + 2)
        for page in pages:
            prose = re.sub(r"(?m)^    .*$", "", page.read_text())  # formulas have brackets, too
            for link in re.findall(r"\]\(([^)#]+)", prose):
                self.assertTrue((page.parent / link).is_file(), f"{page.name}: {link}")

    def test_notes_name_keys_that_exist(self):
        """The tables of a plugin's README have all keys of its types and no others."""
        for plugin in self.plugins:
            (readme,) = (SOURCE / "plugins").glob(f"*/{plugin['id']}/README.md")
            rows = re.findall(r"(?m)^\|((?: \w+:)?(?: ?(?:`\w+`|\([^|]*?\))[, ]*)+) \|", parameter_sections(readme.read_text()))
            told = {key for row in rows for key in re.findall(r"`(\w+)`", re.sub(r"\(.*?\)", "", row))}
            keys = {parameter["name"] for component in plugin["components"]
                    for parameter in component["parameters"] + component.get("body_parameters", [])}
            shared = {"on"} if plugin["components"][0]["kind"] == "metric" else set()
            with self.subTest(plugin["id"]):
                self.assertEqual(told - shared, keys)

    def test_one_plugin(self):
        result = self.trammel("reference", "-o", "one", "--plugin", "runge_kutta")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(sorted(file.name for file in (self.folder / "one" / "integrator").iterdir())[:2], ["dopri5.md", "dopri853.md"])
        self.assertFalse((self.folder / "one" / "force").exists())
        result = self.trammel("reference", "-o", "none", "--plugin", "runge_kuta")
        self.assertEqual(result.returncode, 3)
        self.assertIn("there is no plugin 'runge_kuta'", result.stderr)


def parameter_sections(text):
    return "".join(part for part in re.split(r"(?m)^(?=## )", text) if part.startswith("## Parameters"))


main()
