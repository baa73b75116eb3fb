#!/usr/bin/env python3
"""Times the paper's training step, ours against PyTorch on one thread each, in the same run.

Run from anywhere: python3 scripts/bench_step.py [--rounds N] [--steps N]; makes its own environment with torch under target/.
Both train a network of 512 random frequencies of 4 inputs, 3 x 512 units with dropout 0.5 and 128 outputs, by Adam on batches of 128
rows. Builds the release version; the two run in turn. CPU time is compared, and the median round of each counts, so that other work
on the machine disturbs little.
"""

import argparse
import json
import os
import statistics
import subprocess
import time

import environment
from environment import TOP

environment.enter("venv-models", ["numpy==2.4.6", "scipy==1.17.1", "torch==2.15.0"])  # that of bench_models.py

import torch  # noqa: E402

N_ROWS, N_INPUTS, N_WAVES, WIDTH, N_BINS, BATCH = 4_000, 4, 512, 512, 128, 128
# Multiplications with their additions: forward, derivatives of weights, derivatives of all but the inputs.
LAYERS = [(2 * N_WAVES, WIDTH), (WIDTH, WIDTH), (WIDTH, WIDTH), (WIDTH, N_BINS)]
FLOP = 2 * BATCH * (3 * sum(a * b for a, b in LAYERS) - LAYERS[0][0] * LAYERS[0][1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3, help="how often both are timed [default: 3]")
    parser.add_argument("--steps", type=int, default=100, help="steps of PyTorch per round [default: 100]")
    options = parser.parse_args()
    torch.set_num_threads(1)
    program, peer = build(), Peer()
    peer.ms_per_step(10)  # warm-up
    ours, theirs = [], []
    for _ in range(options.rounds):
        ours += ours_ms_per_step(program)
        theirs.append(peer.ms_per_step(options.steps))
    ours, theirs = statistics.median(ours), statistics.median(theirs)
    print(f"torch {torch.__version__} on one thread ({torch.backends.cpu.get_cpu_capability()}), {FLOP / 1e6:.0f} MFLOP per step\n")
    print("| | CPU ms per step | GFLOP/s |\n|---|---:|---:|")
    for name, ms in (("ours", ours), ("PyTorch, fused Adam", theirs)):
        print(f"| {name} | {ms:.2f} | {FLOP / ms / 1e6:.0f} |")
    print(f"\nPyTorch / ours: {theirs / ours:.2f}")


def build():
    """The example that is the measurement."""
    command = ["cargo", "build", "--release", "--package", "prequential", "--example", "training_step", "--message-format=json"]
    out = subprocess.run(command, cwd=TOP, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    messages = [json.loads(line) for line in out.splitlines()]
    return next(message["executable"] for message in messages if message.get("executable"))


def ours_ms_per_step(program):
    out = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    return [json.loads(line)["ms_per_step"] for line in out.splitlines()]


class Peer:
    def __init__(self):
        torch.manual_seed(0)
        self.inputs = torch.randn(N_ROWS, N_INPUTS)
        self.levels = torch.randint(0, N_BINS, (N_ROWS,))
        self.frequencies = 10 * torch.randn(N_INPUTS, N_WAVES)
        hidden = [
            part for n_in, n_out in LAYERS[:-1]
            for part in (torch.nn.Linear(n_in, n_out), torch.nn.ReLU(), torch.nn.Dropout(0.5))
        ]
        self.network = torch.nn.Sequential(*hidden, torch.nn.Linear(*LAYERS[-1]))
        self.optimiser = torch.optim.Adam(self.network.parameters(), lr=1e-4, fused=True)
        self.loss = torch.nn.CrossEntropyLoss()

    def ms_per_step(self, n_steps):
        start = time.process_time()
        for _ in range(n_steps):
            rows = torch.randint(0, N_ROWS, (BATCH,))
            phases = self.inputs[rows] @ self.frequencies
            features = torch.cat([phases.sin(), phases.cos()], 1)
            self.optimiser.zero_grad()
            self.loss(self.network(features), self.levels[rows]).backward()
            self.optimiser.step()
        return 1000 * (time.process_time() - start) / n_steps


main()
