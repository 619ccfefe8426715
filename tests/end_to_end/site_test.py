"""The site: builds without a warning, has every page, loads nothing from a network, and its links lead somewhere.

Arguments: TRAMMEL [unittest arguments]
"""
import html.parser
import pathlib
import subprocess
import tempfile
import unittest
import urllib.parse

import support
from support import SOURCE

HOLDER = tempfile.TemporaryDirectory(prefix="trammel_site_")
SITE = pathlib.Path(HOLDER.name) / "site"


class Page(html.parser.HTMLParser):
    """What a page refers to: (tag, address) of links and of what it loads; the names of its places."""

    def __init__(self, file):
        super().__init__()
        self.references, self.places = [], set()
        self.feed(file.read_text())

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.places |= {attributes.get("id"), attributes.get("name")}
        for key in ("href", "src"):
            if attributes.get(key):
                self.references.append((tag, attributes[key]))


class Site(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.addClassCleanup(HOLDER.cleanup)
        result = subprocess.run(["/usr/bin/python3", SOURCE / "docs" / "site" / "build.py", support.TRAMMEL, SITE],
                                capture_output=True, text=True, timeout=250)
        cls.told = result.stdout + result.stderr
        if result.returncode != 0:
            raise AssertionError(cls.told)
        cls.pages = {file: Page(file) for file in sorted((SITE / "html").rglob("*.html"))}

    def test_no_warning(self):
        self.assertNotIn("WARNING", self.told)

    def test_pages(self):
        names = {str(page.relative_to(SITE / "html")) for page in self.pages}
        for name in ("index.html", "docs/studies.html", "sdk/guide/first_plugin.html", "configs/papers/wu/index.html",
                     "reference/integrator/dopri5.html", "reference/run_file.html"):
            self.assertIn(name, names)
        self.assertGreater(len(names), 140)

    def test_nothing_is_fetched(self):
        for file, page in self.pages.items():
            loaded = [address for tag, address in page.references if tag != "a" and urllib.parse.urlparse(address).netloc]
            self.assertEqual(loaded, [], file)

    def test_links(self):
        for file, page in self.pages.items():
            if file.name in ("404.html", "search.html"):  # written for the root of a server
                continue
            for _, address in page.references:
                target = urllib.parse.urlparse(address)
                if target.scheme or target.netloc:
                    continue
                there = (file.parent / urllib.parse.unquote(target.path)).resolve() if target.path else file
                self.assertTrue(there.is_file(), f"{file.relative_to(SITE)}: {address}")
                if target.fragment and there in self.pages:
                    self.assertIn(urllib.parse.unquote(target.fragment), self.pages[there].places, f"{file.relative_to(SITE)}: {address}")


support.main()
