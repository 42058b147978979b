"""HTML tables that notebooks show for models, bodies, results and reports."""

from html import escape
from math import isnan


def number(value):
    """A number for people; an empty cell where it is not known."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        return "" if isinstance(value, float) and isnan(value) else f"{value:.6g}"
    return str(value)


def table(title, heads, rows, most=40):
    """An HTML table; long ones end with a line that says how many rows there are."""
    rows = list(rows)
    out = [f"<table><caption>{escape(title)}</caption><thead><tr>"]
    out += [f"<th>{escape(head)}</th>" for head in heads]
    out.append("</tr></thead><tbody>")
    for row in rows[:most]:
        out.append("<tr>" + "".join(f"<td>{escape(number(cell))}</td>" for cell in row) + "</tr>")
    if len(rows) > most:
        out.append(f"<tr><td colspan={len(heads)}>... {len(rows)} rows in all</td></tr>")
    out.append("</tbody></table>")
    return "".join(out)


def of_model(model):
    """FeModel in a notebook."""
    rows = [
        ("nodes", len(model.node_ids)),
        ("dofs", len(model.dof_nodes)),
        ("units", model.units or "not known"),
    ]
    for name in ("stiffness", "mass", "damping"):
        matrix = getattr(model, name)
        if matrix is not None:
            rows.append((name, f"{matrix.shape[0]} x {matrix.shape[1]}, {matrix.nnz} non-zeros"))
    rows.append(("modes", len(model.modes)))
    rows.append(("interface nodes", len(model.interface_nodes)))
    return table(f"FE model {model.name}", ("", ""), rows)


def of_body(body):
    """FlexBody in a notebook."""
    title = (
        f"Flexible body {body.name}: {len(body.node_ids)} nodes, {len(body)} modes, "
        f"{body.total_mass:.6g} kg"
    )
    rows = zip(
        range(1, len(body) + 1),
        body.kinds,
        [" ".join(sources) for sources in body.sources],
        body.frequencies_hz.tolist(),
        body.damping_ratio.tolist(),
    )
    return table(title, ("mode", "kind", "from", "frequency [Hz]", "damping ratio"), rows)


def of_result(result):
    """Result in a notebook."""
    time = result.time
    title = f"Result {result.name}: {len(time)} rows"
    if len(time):
        title += f", {time[0]:.6g} s to {time[-1]:.6g} s"
    units = result.units
    rows = []
    for name in result:
        values = result[name]
        low, high = (values.min(), values.max()) if len(values) else (float("nan"),) * 2
        rows.append((name, units[name], float(low), float(high)))
    return table(title, ("channel", "unit", "smallest", "largest"), rows)


def of_report(report):
    """Report in a notebook: plain values first, then each list of objects as a table."""
    plain = [(k, v) for k, v in report.items() if not isinstance(v, (dict, list))]
    plain += [
        (f"{k}.{inner}", v)
        for k, value in report.items()
        if isinstance(value, dict)
        for inner, v in value.items()
        if not isinstance(v, (dict, list))
    ]
    out = table(f"femflex {report.verb}", ("", ""), plain)
    for key, value in report.items():
        if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
            heads = [k for k, v in value[0].items() if not isinstance(v, (dict, list))]
            out += table(key, heads, [[item.get(head) for head in heads] for item in value])
    return out
