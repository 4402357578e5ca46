"""What was found out, as plain data.

A record is the dictionary that the command prints for a kernel, with a few
questions that everybody asks of it; json.dumps writes it as it came.
"""

# The verdicts that say that a kernel is wrong.
BUGS = frozenset(
    ["racy", "divergent", "deadlock", "assertion", "out-of-bounds"])


def place_text(place):
    return "{file}:{line}:{column}".format(**place)


def _numbers(numbers):
    return "(" + ",".join("*" if n is None else str(n) for n in numbers) + ")"


def _end_lines(problem):
    """Who is involved: threads of a proof, or lanes of named barriers."""
    for thread in (problem.get("witness") or {}).get("threads") or []:
        what = thread.get("access")
        yield "thread %s in block %s%s, %s" % (
            _numbers(thread["thread"]), _numbers(thread["block"]),
            " %ss %s" % (what, thread.get("array")) if what else "",
            place_text(thread["where"]) if thread.get("where") else "?")
    for end in problem.get("ends") or []:
        place = end.get("where") or end.get("ptx")
        block = "" if end["block"] is None else "block %d, " % end["block"]
        yield "%swarp %s, lane %s: %s%s" % (
            block, end["warp"], end["lane"], end["action"],
            ", " + place_text(place) if place else "")


def _problem_lines(problem):
    ends = problem.get("ends") or [{}]
    place = problem.get("where") or ends[0].get("where")
    prefix = place_text(place) + ": " if place else ""
    sentence = problem["sentence"]
    if problem.get("confirmed") and not sentence.startswith("confirmed"):
        sentence = "confirmed " + sentence
    yield prefix + sentence
    for line in _end_lines(problem):
        yield "  " + line


class Record(dict):
    """One kernel: the members of docs/JSON.md."""

    @property
    def verdict(self):
        return self["verdict"]

    @property
    def kernel(self):
        return self["kernel"]

    @property
    def problems(self):
        return self["problems"]

    @property
    def reason(self):
        return self.get("reason")

    @property
    def is_bug(self):
        return self["verdict"] in BUGS

    @property
    def is_verified(self):
        """Proved in full; a proof for one block only is none."""
        return self["verdict"] == "verified"

    def __str__(self):
        lines = []
        for problem in self["problems"]:
            lines += _problem_lines(problem)
        if self["reason"]:
            place = self["reason_where"] or self["where"]
            prefix = place_text(place) + ": " if place else ""
            lines.append("%snot decided: %s" % (prefix, self["reason"]))
        blocks = self.get("blocks")
        scope = blocks["sentence"] + ", " if blocks else ""
        lines.append("verdict: %s (%skernel '%s', %.2f s)" % (
            self["verdict"], scope, self["source"] or self["kernel"],
            self["seconds"]))
        return "\n".join(lines)


class Report(list):
    """The records of one call, in the order of the kernels.

    ``status`` is the exit status of the command: 0 where all that was asked
    for is proved, 1 for a bug, 4 where something was not decided.
    """

    def __init__(self, records, status):
        super().__init__(records)
        self.status = status

    @property
    def is_proved(self):
        return self.status == 0 and len(self) > 0

    @property
    def bugs(self):
        return [record for record in self if record.is_bug]

    def __str__(self):
        return "\n".join(map(str, self))
