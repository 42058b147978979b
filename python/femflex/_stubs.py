"""Adds to __init__.pyi the stubs made from the table of verbs; run by the build.

    /usr/bin/python3 -m femflex._stubs python/femflex/__init__.pyi OUT
"""

import sys

from ._verbs import FUNCTIONS, MORE_ARGUMENTS, VERBS, options_of

MARK = "# Verbs of the command line, written below this line by femflex._stubs.\n"


def _type(option):
    if not option["value"]:
        return "Optional[bool]"
    if option["name"] == "--set":
        return "Union[None, Value, Mapping[str, Any]]"
    return "Optional[Value]"


def verbs_stub():
    """Stubs of every verb, in the order of the table."""
    out = [MARK]
    for name, verb in zip(FUNCTIONS, VERBS.values()):
        out.append(f"def {name}(\n    *inputs: Input,\n")
        for option, entry in options_of(verb).items():
            out.append(f"    {option}: {_type(entry)} = ...,\n")
        for option in MORE_ARGUMENTS.get(verb["name"], {}):
            out.append(f"    {option}: Any = ...,\n")
        out.append("    progress: Progress = ...,\n) -> Report: ...\n")
    return "".join(out)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        head = file.read().split(MARK)[0]
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(head + verbs_stub())
