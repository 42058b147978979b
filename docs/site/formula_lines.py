# Where a formula of docs/theory may begin a new line, so that a phone shows all of it.
"""A long formula becomes pieces, each a `math` element of its own: before relations, signs of addition and
long factors, as the trade divides them. A bracket that is long itself becomes a group of pieces, which moves to
the next line as a whole where it fits there, and is divided inside where it does not."""

import dataclasses
import html
import re

# characters of a formula that fits into a line of every screen, of a piece after which another factor may begin a
# line, and of a bracket or a product that is never divided
SHORT = 26
LINE = 14
WHOLE = 16
# of a factor that stays beside the bracket before it
TAIL = 4
THIN = '<mspace width="0.17em"/>'
# height of brackets around a fraction, where both stand in pieces of their own
HIGH = ' stretchy="true" symmetric="true" minsize="2.3em" maxsize="2.3em"'


def row(parts):
    return parts[0] if len(parts) == 1 else "<mrow>" + "".join(parts) + "</mrow>"


def operator(sign, more=""):
    return f"<mo{more}>{html.escape(sign)}</mo>"


# signs before which a long formula goes on in the next line
BREAKS = {operator(sign) for sign in "=<>≤≥←→⇒+−"}
COMMAS = {operator(sign) for sign in ",;"}
BRACKETED = ("<mrow><mo>(", '<mrow><mo stretchy="false">(')


@dataclasses.dataclass
class Lines:
    """A bracket in pieces: `first` opens it, `inside` are pieces, `last` closes it with its indices."""

    first: str
    inside: list
    last: str


@dataclasses.dataclass
class Item:
    """One factor or sign of a formula."""

    kind: str  # atom, times, sign, slash, text or large
    mathml: str
    bare: str = ""  # without its brackets, for a fraction
    lines: Lines = None  # of a long bracket
    glued: bool = False  # the argument right behind the name of a function


def length(mathml):
    return len(re.sub("<[^>]*>", "", mathml))


def is_high(mathml):
    return "<mfrac" in mathml or "<mtable" in mathml


def joined(items):
    parts = []
    for at, each in enumerate(items):
        if at and each.kind == "atom" and items[at - 1].kind == "atom" and not each.glued:
            parts.append(THIN)
        parts.append(each.mathml)
    return row(parts or ["<mrow></mrow>"])


def bracket_lines(opening, items, closing):
    inside = joined(items)
    if opening == "|" or length(inside) < WHOLE:
        return None
    pieces = pieces_of(items)
    if len(pieces) == 1 and isinstance(pieces[0], str):
        return None
    high = HIGH if is_high(inside) else ' stretchy="false"'
    return Lines(operator(opening, ' form="prefix"' + high), pieces, operator(closing, ' form="postfix"' + high))


def with_first(pieces, mathml):
    """The pieces, with MathML before the first of them."""
    head = pieces[0]
    return [row([mathml, head]) if isinstance(head, str) else with_first(head, mathml), *pieces[1:]]


def with_last(pieces, mathml):
    tail = pieces[-1]
    return [*pieces[:-1], row([tail, mathml]) if isinstance(tail, str) else with_last(tail, mathml)]


def group_of(lines):
    return with_last(with_first(lines.inside, lines.first), lines.last)


def begins_piece(each, open_items, before):
    if before and before.mathml in COMMAS:
        return True
    if not before or before.kind != "atom" or each.glued:
        return False
    if each.kind == "atom":
        open_length = length(joined(open_items))
        return not open_items or each.mathml.startswith(BRACKETED) or open_length >= LINE or open_length + length(each.mathml) > WHOLE
    return each.kind in ("text", "large") or (each.kind == "sign" and each.mathml in BREAKS)


def stays_behind(each):
    return each.kind in ("times", "slash") or each.mathml in COMMAS or (each.kind == "atom" and length(each.mathml) <= TAIL)


def pieces_of(items):
    """Pieces: MathML each, or a list of pieces for a bracket that is divided itself."""
    pieces, open_items = [], []

    def close():
        if open_items:
            pieces.append(joined(open_items))
            open_items.clear()

    before = None
    for each in items:
        after_atom = before and before.kind == "atom"
        if each.lines:
            group = group_of(each.lines)
            if open_items and not any(item.kind in ("atom", "text") for item in open_items):
                group = with_first(group, joined(open_items))  # signs stand before the bracket, not at the end of a line
                open_items.clear()
            elif each.glued and open_items:
                group = with_first(group, joined(open_items))
                open_items.clear()
            elif after_atom:
                group = with_first(group, THIN)
            close()
            pieces.append(group)
        elif not open_items and pieces and stays_behind(each):
            pieces[-1] = with_last([pieces[-1]], THIN + each.mathml if each.kind == "atom" and not each.glued else each.mathml)[0]
        elif begins_piece(each, open_items, before):
            close()
            if each.kind == "sign":
                each = Item("sign", each.mathml.replace("<mo>", '<mo form="infix">', 1))
            elif after_atom and each.kind == "atom":
                each = Item("atom", THIN + each.mathml, "", None)
            open_items.append(each)
        else:
            open_items.append(each)
        before = each
    close()
    return pieces


def html_of_pieces(pieces, display=' display="block"', is_inside=False):
    """A piece inside a group stands in a line of its own box: boxes align by the baselines of their lines."""
    out = ""
    for each in pieces:
        if isinstance(each, str):
            piece = f"<math{display}>{each}</math>"
            out += f"<span>{piece}</span>" if is_inside else piece
        else:
            out += f'<span class="group">{html_of_pieces(each, display, True)}</span>'
    return out
