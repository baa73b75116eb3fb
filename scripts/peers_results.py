"""The measurements of `bench_peers.py` in a JSON file: programs with versions and settings, and one line for each fit."""

import json
import sys

from peer_tables import SETS

SET_OF = {table: table_set for table_set in SETS for table in table_set.tables}


class Results:
    def __init__(self, path, order):
        self.path, self.order = path, order
        kept = json.loads(path.read_text()) if path.exists() else {"programs": {}, "fits": {}}
        self.programs, self.fits = kept["programs"], kept["fits"]
        self.build = None  # of ours, that is measured now

    def describe(self, name, description):
        """Forgets the fits of a program that is not the one they were made by."""
        if self.programs.get(name) != description:
            self.programs[name], self.fits[name] = description, {}
        self.programs = {name: self.programs[name] for name in self.order if name in self.programs}

    def has(self, name, table, limit):
        """Whether there is a fit, or a failure that as many seconds would not change."""
        fit = self.fits.get(name, {}).get(table)
        return fit is not None and fit.get("limit", limit) >= limit and self.is_of_this_build(fit)

    def is_hopeless(self, name, table_set, limit):
        """Whether the program ran out of time on a table of the same kind that is no larger."""
        return any(fit["limit"] >= limit and self.is_of_this_build(fit) for fit in self.out_of_time(name, table_set))

    def is_of_this_build(self, fit):
        """Ours say which build they are of, the others are of the version that `programs` has."""
        return fit.get("build", self.build) == self.build

    def out_of_time(self, name, table_set):
        """The fits to tables of the same kind, no larger than these, that were ended."""
        is_such = lambda other: other.kind == table_set.kind and other.n_vars <= table_set.n_vars
        late = [(table, fit) for table, fit in self.fits.get(name, {}).items() if "limit" in fit and table in SET_OF]
        return [fit for table, fit in late if is_such(SET_OF[table])]

    def keep(self, name, table, fit):
        self.fits.setdefault(name, {})[table] = fit
        print(f"{name}, {table}: {fit}", file=sys.stderr, flush=True)
        self.write()

    def write(self):
        line = lambda table, fit: f"      {json.dumps(table)}: {json.dumps(fit)}"
        fits = [f"    {json.dumps(name)}: {{\n" + ",\n".join(line(*item) for item in fits.items()) + "\n    }" for name in self.programs if (fits := self.fits.get(name))]
        programs = [f"    {json.dumps(name)}: {json.dumps(self.programs[name])}" for name in self.programs]
        text = '{\n  "programs": {\n' + ",\n".join(programs) + '\n  },\n  "fits": {\n' + ",\n".join(fits) + "\n  }\n}\n"
        part = self.path.with_suffix(".part")
        part.write_text(text)
        part.replace(self.path)
