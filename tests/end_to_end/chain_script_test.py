"""configs/examples/chain_64.json is what make_chain.py 64 writes, so that nobody edits one without the other."""
import pathlib
import subprocess
import sys

folder = pathlib.Path(sys.argv[1])
written = subprocess.run([sys.executable, folder / "make_chain.py", "64"], check=True, capture_output=True, text=True)
if written.stdout != (folder / "chain_64.json").read_text():
    sys.exit("chain_64.json differs from the output of make_chain.py 64")
