"""A Slurm cluster of two node daemons on this machine, for tests: no cgroups, no users, everything in one folder."""
import os
import pathlib
import shutil
import socket
import subprocess
import time

CONFIGURATION = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
SwitchType=switch/none
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
SlurmctldPort={ports[0]}
ReturnToService=2
KillWait=1
MinJobAge=5
InactiveLimit=0
SlurmdParameters=config_overrides
NodeName=node1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=2 State=UNKNOWN
NodeName=node2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs=2 State=UNKNOWN
PartitionName=all Nodes=node1,node2 Default=YES MaxTime=INFINITE State=UP
"""


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Cluster:
    """Started when made; `environment` is what its clients need. Raises RuntimeError, with the logs, if it does not start."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        for program in ("slurmctld", "slurmd", "sbatch", "squeue", "sinfo"):
            if shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin") is None:
                raise RuntimeError(f"{program} is missing (Debian: slurmctld slurmd slurm-client)")
        (self.folder / "state").mkdir()
        host = socket.gethostname().split(".")[0]
        user = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout.strip()
        configuration = self.folder / "slurm.conf"
        configuration.write_text(CONFIGURATION.format(host=host, user=user, folder=self.folder, ports=free_ports(3)))
        (self.folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\nConstrainCores=no\nConstrainRAMSpace=no\n")
        self.environment = {**os.environ, "SLURM_CONF": str(configuration), "PATH": os.environ["PATH"] + ":/usr/sbin"}
        self.daemons = {}
        self.start("controller")
        self.start("node1")
        self.start("node2")
        self.wait_until_idle()

    def start(self, name):
        command = ["slurmctld", "-D", "-c"] if name == "controller" else ["slurmd", "-D", "-N", name]
        if name != "controller":
            (self.folder / f"spool-{name}").mkdir(exist_ok=True)
        with open(self.folder / f"{name}.out", "ab") as log:
            self.daemons[name] = subprocess.Popen(command, env=self.environment, stdout=log, stderr=log)

    def kill(self, name):
        """-9, as a machine that lost its power."""
        self.daemons[name].kill()
        self.daemons[name].wait()

    def client(self, *command):
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=60)

    def wait_until_idle(self, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            states = self.client("sinfo", "--noheader", "--Node", "--format=%T").stdout.split()
            if states == ["idle", "idle"]:
                return
            time.sleep(0.5)
        logs = "".join(f"--- {file.name}\n{file.read_text(errors='replace')[-2000:]}\n"
                       for file in sorted(self.folder.glob("*.*")) if file.suffix in (".log", ".out"))
        self.stop()
        raise RuntimeError(f"the test's Slurm did not start:\n{logs}")

    def stop(self):
        for daemon in self.daemons.values():
            if daemon.poll() is None:
                daemon.terminate()
        for daemon in self.daemons.values():
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
