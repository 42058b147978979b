# The reference of the Python package as Markdown, from its type stubs and the command reference.
import ast
import keyword
import re


def meanings(commands):
    """{verb: {option: meaning}} of docs/commands.md, and the sentence of each verb."""
    out, sentences, verb = {}, {}, None
    for line in commands.split("\n"):
        if line.startswith("## "):
            verb = line[3:].strip()
            out[verb] = {}
        elif verb and verb not in sentences and line and not line.startswith(("`", "|")):
            sentences[verb] = line
        match = re.match(r"\| `(?:-\w, )?--([a-z-]+)[^`]*` \| (.*) \|$", line)
        if verb and match:
            out[verb][match.group(1).replace("-", "_")] = match.group(2)
    return out, sentences


def classes(tree):
    lines = []
    for node in tree.body:
        if not isinstance(node, ast.ClassDef) or node.name.startswith("_"):
            continue
        bases = ", ".join(ast.unparse(base) for base in node.bases)
        head = [f"### {node.name}", "", f"Derived from `{bases}`.\n" if bases else ""]
        rows = []
        for each in node.body:
            if isinstance(each, ast.AnnAssign):
                rows.append((ast.unparse(each.target), ast.unparse(each.annotation)))
            if isinstance(each, ast.FunctionDef) and each.name != "__init__":
                is_value = any(ast.unparse(d) == "property" for d in each.decorator_list)
                given = re.sub(r"^self(, )?", "", ast.unparse(each.args))
                name = each.name if is_value else f"{each.name}({given})"
                rows.append((name, ast.unparse(each.returns) if each.returns else ""))
        if rows or bases:
            lines += head
        if rows:
            lines += ["| member | type |", "|---|---|"]
            lines += [f"| `{name}` | `{kind}` |".replace("|None", "") for name, kind in rows]
            lines.append("")
    return lines


def python_reference(stubs, core_stubs, commands):
    tree, core = ast.parse(stubs), ast.parse(core_stubs)
    table, sentences = meanings(commands)
    common = table.get("Options of every verb", {})
    lines = [
        "# Python reference",
        "",
        "Made from the type stubs of the package and from the table of the command line. How inputs, values and exceptions "
        "behave: [the Python package](python.md).",
        "",
        "## Verbs",
        "",
        "Every verb takes inputs (paths or values), keyword options, `progress`, and gives a `Report`. Options of every verb: "
        + ", ".join(f"`{name}`" for name in sorted(common) if name not in ("json", "help"))
        + ".",
        "",
    ]
    for verb, options in table.items():
        if verb not in sentences or verb == "Options of every verb":
            continue
        name = verb.replace("-", "_")
        lines += [f"### {name}_" if keyword.iskeyword(name) else f"### {name}", "", sentences[verb], ""]
        if options:
            lines += ["| option | meaning |", "|---|---|"]
            lines += [f"| `{option}` | {meaning} |" for option, meaning in options.items()]
            lines.append("")
    others = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    lines += ["## Other functions", "", "| function | gives |", "|---|---|"]
    for node in [*others, *(n for n in core.body if isinstance(n, ast.FunctionDef) and n.name[0] != "_")]:
        gives = ast.unparse(node.returns) if node.returns else ""
        lines.append(f"| `{node.name}({ast.unparse(node.args)})` | `{gives}` |".replace(" | None", ""))
    lines += ["", "## Values", "", *classes(core), "## Reports and exceptions", "", *classes(tree)]
    return "\n".join(lines) + "\n"
