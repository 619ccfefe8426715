"""`trammel view`: who may ask, what is answered while a run goes on, stops, fails and changes; and how the page shows it."""
import http.client
import json
import pathlib
import re
import signal
import struct
import subprocess
import time
import unittest

from browsing import LACKING, VIEWER, BrowserCase
from support import PENDULUM, TRAMMEL, Case, changed, main

try:
    from selenium.webdriver.common.by import By
except ImportError:
    pass

# Far longer than any test, with few rows a second.
LONG = changed(PENDULUM, analysis__duration=1e5, output__step=0.05, integrator={"type": "rk4", "step": 0.0005})


class Viewing:
    """A running `trammel view` of run.json, with its address taken apart."""

    def __init__(self, test, run, *arguments):
        self.test = test
        test.write(run)
        self.start(*arguments)

    def start(self, *arguments):
        self.process = subprocess.Popen([TRAMMEL, "view", "run.json", "-o", "out", *arguments], cwd=self.test.folder, text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.test.addCleanup(self.end)
        self.address = self.process.stdout.readline().strip()
        parts = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/", self.address)
        assert parts, self.address + self.process.stderr.read()
        self.port, self.token = int(parts[1]), parts[2]

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(30)
        self.process.stdout.close()
        self.process.stderr.close()
        return self.process.returncode

    def ask(self, place, method="GET", token=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        named = {"Host": f"127.0.0.1:{self.port}", **({"Origin": f"http://127.0.0.1:{self.port}"} if method == "POST" else {})}
        named.update({name.replace("_", "-"): value for name, value in headers.items()})
        connection.putrequest(method, f"/{self.token if token is None else token}/{place}", skip_host=True)
        for name, value in named.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer, body

    def progress(self):
        return json.loads(self.ask("progress")[1])

    def wait(self, condition, seconds=60):
        deadline = time.time() + seconds
        while True:
            p = self.progress()
            if condition(p):
                return p
            self.test.assertLess(time.time(), deadline, p)
            time.sleep(0.05)

    def change(self, run):
        """As editors do: a new file takes the old one's place."""
        path = self.test.folder / "new.json"
        path.write_text(run if isinstance(run, str) else json.dumps(run))
        path.rename(self.test.folder / "run.json")


def over(p):
    return p["phase"] in ("completed", "failed", "interrupted")


@unittest.skipUnless(VIEWER.exists(), "built without the report's viewer (Debian: esbuild libjs-three libjs-chart.js)")
class Server(Case):
    def test_a_run_from_its_start_to_its_end(self):
        view = Viewing(self, PENDULUM)
        p = view.wait(over)
        self.assertEqual((p["phase"], p["errors"], p["run"]), ("completed", "", 1))
        header, rows = self.table()
        model = json.loads(view.ask("model")[1])
        self.assertEqual(model["channels"], header)
        self.assertEqual(model["scene"]["bodies"][0]["name"], "arm")
        answer, body = view.ask("rows?run=1&from=0")
        self.assertEqual(int(answer.headers["Trammel-Count"]), len(rows))
        numbers = struct.unpack(f"<{len(body) // 8}d", body)
        width = len(header)
        self.assertEqual([list(numbers[k:k + width]) for k in range(0, len(numbers), width)], rows)
        results = json.loads(view.ask("finished")[1])
        self.assertEqual(results["content"]["data"]["rows"], len(rows))
        self.assertIn("data", results["blocks"])
        self.assertEqual(view.end(), 0)

    def test_rows_come_while_the_run_goes_on_and_stop_leaves_results(self):
        view = Viewing(self, LONG)
        view.wait(lambda p: p["rows"] > 50)
        first = int(view.ask("rows?run=1&from=0")[0].headers["Trammel-Count"])
        self.assertGreater(first, 50)
        view.wait(lambda p: p["rows"] > first)
        answer, _ = view.ask(f"rows?run=1&from={first}")
        self.assertEqual(int(answer.headers["Trammel-First"]), first)
        self.assertEqual(view.ask("rows?run=2&from=0")[0].status, 409)
        self.assertEqual(view.ask("finished")[0].status, 404)
        p = view.wait(lambda p: p["t"] > 0)
        self.assertEqual(p["t_end"], 1e5)
        self.assertEqual(view.ask("stop", "POST")[0].status, 200)
        self.assertEqual(view.wait(over)["phase"], "interrupted")
        self.assertEqual(self.summary()["status"], "interrupted")
        self.assertGreater(len(self.table()[1]), 50)
        self.assertEqual(view.ask("finished")[0].status, 200)
        view.ask("run", "POST")
        view.wait(lambda p: p["phase"] == "running" and p["run"] == 2)

    def test_the_file_changes(self):
        view = Viewing(self, LONG)
        view.wait(lambda p: p["phase"] == "running")
        view.change('{"trammel": 1, "titel": ')
        p = view.wait(lambda p: p["errors"] != "")
        self.assertIn("run.json:1", p["errors"])
        self.assertEqual(p["phase"], "running", "a slip of the pen ends no run")
        view.change(changed(PENDULUM, system__bodies__arm__mas=3))
        p = view.wait(lambda p: "did you mean 'mass'" in p["errors"])
        self.assertIn("/system/bodies/arm/mas", p["errors"])
        self.assertEqual(p["revision"], 1)
        view.change(changed(PENDULUM, system__bodies__arm__position=[0.25, 0, 0], title="Shorter"))
        p = view.wait(lambda p: p["run"] == 2 and over(p))
        self.assertEqual((p["phase"], p["errors"], p["revision"]), ("completed", "", 2))
        model = json.loads(view.ask("model")[1])
        self.assertEqual(model["title"], "Shorter")
        self.assertEqual(model["scene"]["bodies"][0]["q"][0], 0.25)
        view.ask("again?on=0", "POST")
        view.change(changed(PENDULUM, title="Once more"))
        self.assertEqual(view.wait(lambda p: p["revision"] == 3)["phase"], "ready")
        time.sleep(0.5)
        self.assertEqual(view.progress()["run"], 2)

    def test_a_wrong_file_at_first_and_no_run(self):
        view = Viewing(self, changed(PENDULUM, system__gravity="down"), "--no-run")
        p = view.wait(lambda p: p["phase"] == "wrong")
        self.assertIn("/system/gravity", p["errors"])
        view.change(PENDULUM)
        self.assertEqual(view.wait(lambda p: p["revision"] == 1)["run"], 0)

    def test_a_run_that_fails_says_why(self):
        run = changed(PENDULUM, analysis__constraint_limit=1e-6, formulation={"type": "direct"}, integrator={"type": "euler", "step": 0.05})
        view = Viewing(self, run)
        p = view.wait(over)
        self.assertEqual(p["phase"], "failed")
        self.assertIn("t = ", p["message"])

    def test_nobody_else_may_ask(self):
        view = Viewing(self, PENDULUM)
        port = view.port
        self.assertEqual(view.ask("")[0].status, 200)
        self.assertEqual(view.ask("", Host=f"localhost:{port}")[0].status, 200)
        for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port + 1}", "", None):
            self.assertIn(view.ask("", Host=host)[0].status, (400, 403), host)
        for origin in ("http://evil.example", "null", f"http://127.0.0.1:{port + 1}", f"https://127.0.0.1:{port}"):
            self.assertEqual(view.ask("progress", Origin=origin)[0].status, 403, origin)
        self.assertEqual(view.ask("progress", Sec_Fetch_Site="cross-site")[0].status, 403)
        self.assertEqual(view.ask("stop", "POST", Origin=None)[0].status, 403)
        self.assertEqual(view.ask("stop", "POST", Origin="http://evil.example")[0].status, 403)
        for token in ("", "0" * 32, view.token[:-1], view.token.upper() if view.token.upper() != view.token else "x"):
            self.assertEqual(view.ask("progress", token=token)[0].status, 404, token)
        self.assertEqual(view.ask("../etc/passwd")[0].status, 404)
        self.assertEqual(view.ask("progress", "PUT", Origin=f"http://127.0.0.1:{port}")[0].status, 405)
        answer, page = view.ask("")
        self.assertIn("default-src 'none'", page.decode())
        self.assertIn("connect-src 'self'", page.decode())
        self.assertEqual(answer.headers["Referrer-Policy"], "no-referrer")
        self.assertEqual(answer.headers["X-Frame-Options"], "DENY")
        self.assertEqual(answer.headers["Cache-Control"], "no-store")

    def test_it_listens_on_the_loopback_address_only(self):
        view = Viewing(self, PENDULUM)
        listening = []
        for table in ("tcp", "tcp6"):
            for line in pathlib.Path(f"/proc/{view.process.pid}/net/{table}").read_text().splitlines()[1:]:
                local, state = line.split()[1], line.split()[3]
                if state == "0A" and int(local.split(":")[1], 16) == view.port:
                    listening.append(local.split(":")[0])
        self.assertEqual(listening, ["0100007F"])

    def test_ports_and_files_that_do_not_go(self):
        view = Viewing(self, PENDULUM)
        result = self.trammel("view", "run.json", "--port", str(view.port))
        self.assertEqual(result.returncode, 4)
        self.assertIn(f"127.0.0.1:{view.port}", result.stderr)
        result = self.trammel("view", "absent.json")
        self.assertEqual(result.returncode, 2)
        self.assertIn("absent.json: cannot be read", result.stderr)
        self.assertEqual(self.trammel("view", "run.json", "--port", "70000").returncode, 1)

    def test_the_end_of_the_view_ends_the_run_readably(self):
        view = Viewing(self, LONG)
        view.wait(lambda p: p["rows"] > 10)
        self.assertEqual(view.end(), 0)
        self.assertEqual(self.summary()["status"], "interrupted")
        self.assertEqual(self.trammel("report", "out").returncode, 0)


@unittest.skipUnless(VIEWER.exists(), "built without the report's viewer (Debian: esbuild libjs-three libjs-chart.js)")
@unittest.skipIf(LACKING, "no browser to look with; Debian packages missing: " + " ".join(LACKING))
class LivePage(BrowserCase):
    def text(self, identifier):
        return self.js("return document.getElementById(arguments[0]).textContent", identifier)

    def test_it_grows_stops_and_changes(self):
        view = Viewing(self, LONG)
        self.browser.get_log("browser")
        self.browser.get(view.address)
        self.wait(lambda: self.js("return (window.trammel.table?.rows ?? 0) > 20 && !!window.trammel.plots"), 90)
        before = self.js("return [trammel.table.rows, trammel.clock.end]")
        self.wait(lambda: self.js("return trammel.table.rows") > before[0], 60)
        self.assertEqual(self.js("return trammel.clock.t === trammel.clock.end"), True, "the animation goes with the run")
        self.assertIn("t =", self.text("progress-numbers"))
        self.assertEqual(self.text("phase"), "running")
        self.js("document.getElementById('stop').click()")
        self.wait(lambda: self.text("phase") == "stopped", 60)
        self.wait(lambda: self.js("return (trammel.table?.rows ?? 0) > 20 && trammel.live.shown.phase === 'interrupted'"), 60)
        self.assertIn("Outcome", self.browser.find_element(By.TAG_NAME, "body").text)

        view.change(changed(PENDULUM, system__bodies__arm__mas=3))
        self.wait(lambda: "did you mean 'mass'" in self.text("errors"), 60)
        self.assertTrue(self.browser.find_element(By.ID, "errors").is_displayed())
        view.change(changed(PENDULUM, title="Another", system__bodies__arm__position=[0, -0.5, 0], system__points__tip__point=[0, -0.5, 0]))
        self.wait(lambda: self.js("return document.querySelector('h1')?.textContent") == "Another", 60)
        self.wait(lambda: self.text("phase") == "completed" and self.js("return trammel.live.shown.phase") == "completed", 60)
        self.assertFalse(self.browser.find_element(By.ID, "errors").is_displayed())
        self.assertEqual(self.js("return trammel.table.rows"), 11)
        self.silent(but="409")  # a question about the run before, as the next one began


if __name__ == "__main__":
    main()
