"""Whose code runs: plugins of folders that a run file names are loaded only where the user trusts them.

Arguments: TRAMMEL PLANTED_FOLDER [unittest arguments]

The planted plugin writes the file that the environment variable TRAMMEL_PLANTED names, as soon as it is loaded.
"""
import json
import os
import pathlib
import shutil
import sys

from support import PENDULUM, Case, changed, main

PLANTED = pathlib.Path(sys.argv.pop(1))
STUDY = {"trammel_study": 1, "base": "run.json", "vary": {"analysis.duration": [0.1, 0.2]},
         "metrics": {"end": {"type": "final_value", "channel": "arm.x"}}}


class Trust(Case):
    def setUp(self):
        super().setUp()
        self.plugins = self.folder / "with it"
        self.plugins.mkdir(mode=0o755)
        for file in PLANTED.glob("planted.*"):
            shutil.copy(file, self.plugins)
        self.trace = self.folder / "trace"
        self.configuration = self.folder / "config"
        self.list = self.configuration / "trammel" / "trusted_folders.json"
        self.write(self.document())
        self.write(STUDY, "study.json")

    def document(self, folder="with it"):
        return changed(PENDULUM, plugins={"search": [folder]}, system__forces__planted={
            "type": "applied_force", "body": "arm", "force": [1, 0, 0], "function": {"type": "planted"}})

    def trammel(self, *arguments, **options):
        environment = dict(os.environ, TRAMMEL_PLANTED=str(self.trace), XDG_CONFIG_HOME=str(self.configuration))
        environment.update(options.pop("env", {}))
        return super().trammel(*arguments, env=environment, **options)

    def loaded(self):
        """Whether the planted code ran since this was asked last."""
        ran = self.trace.exists()
        self.trace.unlink(missing_ok=True)
        return ran

    def refused(self, *arguments, because="is not trusted", **options):
        result = self.trammel(*arguments, **options)
        self.assertFalse(self.loaded(), arguments)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn(str(self.plugins), result.stderr)
        self.assertIn("'planted'", result.stderr)
        self.assertIn(f"'trammel trust '{self.plugins}''", result.stderr)
        self.assertIn(because, result.stderr)
        return result

    def accepted(self, *arguments, **options):
        result = self.trammel(*arguments, **options)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(self.loaded(), arguments)
        return result

    def test_no_command_runs_it(self):
        told = self.refused("run", "run.json", "-o", "out").stderr
        self.assertRegex(told, r"^run.json:\d+: /system/forces/planted/function/type: the folder ")
        self.assertFalse((self.folder / "out").exists())
        self.refused("validate", "run.json")
        self.refused("validate", "--mobility", "run.json")
        self.refused("validate", "study.json")
        self.refused("verify", "run.json", "-o", "out")
        self.refused("study", "study.json", "-o", "out")
        self.refused("study", "study.json", "-o", "out", "--jobs", "2")
        one = self.trammel("study", "study.json", "-o", "out", "--case", "analysis.duration=0.1")
        self.assertEqual((one.returncode, self.loaded()), (3, False))
        self.refused("run", "run.json", "--set", "plugins.search=[\"./with it/../with it\"]")
        # None of these has anything to do with the folder; they are here so that this stays so.
        for words in (["plugins"], ["describe", "planted"], ["schema"], ["doctor", "gravity"], ["report", "."],
                      ["reference", "-o", "pages"], ["trust", "--list"], ["trust", "--remove", "with it"]):
            self.trammel(*words)
            self.assertFalse(self.loaded(), words)

    def test_manifests_are_read_without_loading(self):
        for words in (["plugins"], ["describe", "planted"], ["schema"]):
            result = self.trammel(*words, "--plugin-path", self.plugins)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("planted", result.stdout)
            self.assertFalse(self.loaded(), words)

    def test_results_and_checkpoints_of_a_trusted_run(self):
        self.accepted("run", "run.json", "-o", "out", "--trust", "--checkpoint-every", "0.1")
        self.trammel("report", "out")
        self.assertFalse(self.loaded())
        self.refused("run", "run.json", "-o", "out", "--restart", "out/checkpoint.json")

    def test_trusted_for_once(self):
        self.accepted("run", "run.json", "-o", "out", "--trust")
        self.accepted("validate", "run.json", "--trust")
        self.accepted("verify", "run.json", "-o", "out", "--trust")
        self.accepted("study", "study.json", "-o", "out2", "--trust", "--jobs", "2")
        self.refused("run", "run.json", "-o", "out")

    def test_folders_that_the_user_names_are_trusted(self):
        self.accepted("run", "run.json", "-o", "out", "--plugin-path", "with it")
        self.accepted("run", "run.json", "-o", "out", env={"TRAMMEL_PLUGIN_PATH": str(self.plugins)})
        self.accepted("study", "study.json", "-o", "out2", "--plugin-path", "with it")
        os.symlink("with it", self.folder / "link")
        self.accepted("run", "run.json", "-o", "out", "--plugin-path", "link")

    def test_nothing_of_the_folder_is_wanted(self):
        result = self.run_file(changed(PENDULUM, plugins={"search": ["with it"]}))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertFalse(self.loaded())

    def test_the_list(self):
        told = self.trammel("trust", "with it")
        self.assertEqual((told.returncode, told.stdout), (0, f"{self.plugins}: trusted: planted.so\n"))
        self.assertFalse(self.loaded())
        self.assertEqual(self.list.stat().st_mode & 0o777, 0o600)
        self.assertEqual(self.trammel("trust").stdout, f"{self.plugins}: planted.so\n")
        self.accepted("run", "run.json", "-o", "out")
        self.accepted("study", "study.json", "-o", "out2", "--jobs", "2")
        self.accepted("validate", "run.json")
        # By another way to the same folder, and by the environment's other name for the list's place.
        os.symlink("with it", self.folder / "link")
        self.write(self.document("link"))
        self.accepted("run", "run.json", "-o", "out")
        (self.folder / ".config").symlink_to("config")
        self.accepted("run", "run.json", "-o", "out", env={"HOME": str(self.folder), "XDG_CONFIG_HOME": ""})
        self.write(self.document())
        self.refused("run", "run.json", "-o", "out", env={"HOME": "", "XDG_CONFIG_HOME": "config"})
        removed = self.trammel("trust", "--remove", "with it")
        self.assertEqual((removed.returncode, removed.stdout, removed.stderr), (0, "", ""))
        self.refused("run", "run.json", "-o", "out")
        self.assertEqual(self.trammel("trust", "--remove", "with it").returncode, 1)
        self.assertEqual(self.trammel("trust", "nowhere").returncode, 1)

    def test_a_folder_that_changed(self):
        self.trammel("trust", "with it")
        library = self.plugins / "planted.so"
        library.write_bytes(library.read_bytes() + b"\0")
        self.refused("run", "run.json", "-o", "out", because="'planted.so' has changed since you trusted it")
        self.trammel("trust", "with it")
        self.accepted("run", "run.json", "-o", "out")
        (self.plugins / "helper.so.1").write_text("")
        self.refused("run", "run.json", "-o", "out", because="'helper.so.1' was not there when you trusted it")
        self.assertIn("was not there when you trusted it", self.trammel("trust", "--list").stdout)
        self.trammel("trust", "--any-contents", "with it")
        self.accepted("run", "run.json", "-o", "out")
        (self.plugins / "more.so").write_text("")
        self.accepted("run", "run.json", "-o", "out")
        # Another folder at the same name is judged by what it holds, and a link by where it leads.
        self.trammel("trust", "with it")
        self.plugins.rename(self.folder / "gone")
        os.symlink("gone", self.plugins)
        result = self.trammel("run", "run.json", "-o", "out")
        self.assertEqual((result.returncode, self.loaded()), (3, False))

    def test_folders_that_others_may_write(self):
        for path in (self.plugins, self.plugins / "planted.so"):
            mode = path.stat().st_mode
            path.chmod(0o777)
            told = self.trammel("trust", "--any-contents", "with it")
            self.assertEqual(told.returncode, 2)
            self.assertIn(f"everybody may write {path}", told.stderr)
            path.chmod(mode)
            self.assertEqual(self.trammel("trust", "with it").returncode, 0)
            path.chmod(0o777)
            self.refused("run", "run.json", "-o", "out", because=f"everybody may write {path}")
            path.chmod(mode)
            self.trammel("trust", "--remove", "with it")

    def test_a_list_that_is_none(self):
        self.trammel("trust", "with it")
        good = self.list.read_text()
        entry = json.loads(good)["folders"][0]
        for text in ("", "{}", "[1", json.dumps({"trammel_trust": 2, "folders": [entry]}),
                     json.dumps({"trammel_trust": 1, "folders": [{"folder": "with it", "any_contents": True}]}),
                     json.dumps({"trammel_trust": 1, "folders": [{"folder": str(self.plugins)}]})):
            self.list.write_text(text)
            self.refused("run", "run.json", "-o", "out", because="trusted_folders.json: ")
            self.assertEqual(self.trammel("trust", "with it").returncode, 2)
        self.list.write_text(good)
        self.list.chmod(0o666)
        self.refused("run", "run.json", "-o", "out", because="everybody may write")

    def test_words_for_a_shell(self):
        """What a run file's author calls the folder does no harm where the user copies the command."""
        for name in ("a;touch trace", "$(touch trace)", "it's", "\x1b[31mred"):
            folder = self.folder / name
            shutil.copytree(self.plugins, folder)
            told = self.run_file(self.document(name)).stderr
            self.assertIn("trust", told)
            if name.isprintable():
                quoted = "'" + str(folder).replace("'", "'\\''") + "'"
                self.assertIn(f"'trammel trust {quoted}'", told)
            else:
                self.assertIn("'trammel trust FOLDER'", told)
                self.assertNotIn("\x1b", told)
        self.assertFalse(self.loaded())


if __name__ == "__main__":
    main()
