"""What tests in headless Chromium share: the browser, its pictures, what it lacks."""
import pathlib
import shutil
import struct
import time
import zlib

from support import TRAMMEL, Case, EXAMPLES

try:
    from selenium import webdriver
    from selenium.webdriver.common.by import By
except ImportError:
    webdriver = None

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
VIEWER = pathlib.Path(TRAMMEL).resolve().parent.parent / "lib" / "trammel" / "report" / "report.js"
LACKING = [name for name, there in (("chromium", CHROMIUM), ("chromium-driver", DRIVER), ("python3-selenium", webdriver)) if not there]


def pixels(png):
    """Rows of (r, g, b) of a PNG as Chromium writes it: 8 bits, no interlace, colour type 2 or 6."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, data = 8, b""
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        chunk = png[at + 8:at + 8 + length]
        at += 12 + length
        if kind == b"IHDR":
            width, height, _, colour = struct.unpack(">IIBB", chunk[:10])
        if kind == b"IDAT":
            data += chunk
    step = 3 if colour == 2 else 4
    raw, stride = zlib.decompress(data), width * step
    before, rows = bytearray(stride), []
    for y in range(height):
        kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride):  # PNG specification, section 9: filters
            a = line[i - step] if i >= step else 0
            b, c = before[i], before[i - step] if i >= step else 0
            if kind == 1:
                line[i] = (line[i] + a) & 255
            elif kind == 2:
                line[i] = (line[i] + b) & 255
            elif kind == 3:
                line[i] = (line[i] + (a + b) // 2) & 255
            elif kind == 4:
                p = a + b - c
                nearest = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
                line[i] = (line[i] + nearest) & 255
        rows.append([tuple(line[x * step:x * step + 3]) for x in range(width)])
        before = line
    return rows


def centre_of(rows, colour):
    """Mean position (x, y) of the pixels near a colour, and their number."""
    found = [(x, y) for y, row in enumerate(rows) for x, pixel in enumerate(row)
             if sum(abs(p - c) for p, c in zip(pixel, colour)) < 40]
    if not found:
        return None, 0
    return [sum(p[k] for p in found) / len(found) for k in (0, 1)], len(found)


class BrowserCase(Case):
    @classmethod
    def setUpClass(cls):
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for argument in ("--headless=new", "--no-sandbox", "--no-first-run", "--disable-quic", "--disable-background-networking",
                         "--disable-component-update", "--disable-sync", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
                         "--force-device-scale-factor=1", "--window-size=1280,900"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        cls.browser = webdriver.Chrome(service=webdriver.ChromeService(DRIVER) if hasattr(webdriver, "ChromeService")
                                       else webdriver.chrome.service.Service(DRIVER), options=options)
        cls.browser.set_script_timeout(60)
        cls.browser.set_page_load_timeout(100)

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()

    def open(self, folder):
        self.browser.get_log("browser")
        self.browser.get((self.folder / folder / "report.html").as_uri())
        self.settle()

    def open_example(self, name, *arguments):
        result = self.trammel("run", EXAMPLES / f"{name}.json", "-o", "out", "--report", "--quiet", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.open("out")

    def js(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def settle(self):
        """Two frames later everything asked for is drawn."""
        self.browser.execute_async_script(
            "const done = arguments[0], next = requestAnimationFrame;"
            "Promise.resolve(window.trammel?.complete).then(() => next(() => next(() => next(() => done()))));")

    def silent(self, but=None):
        quiet = ["GL Driver Message"] + ([] if but is None else [but])  # the software renderer's remarks on its own speed
        loud = [entry["message"] for entry in self.browser.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")
                and not any(words in entry["message"] for words in quiet)]
        self.assertEqual(loud, [])

    def at(self, t):
        self.js("trammel.clock.set(arguments[0])", t)
        self.settle()

    def canvas(self):
        return self.browser.find_element(By.ID, "view")

    def wait(self, condition, seconds=20):
        deadline = time.time() + seconds
        while not condition():
            self.assertLess(time.time(), deadline, "it did not happen")
            time.sleep(0.05)
