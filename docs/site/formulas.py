# Formulas of docs/theory, which are plain text for terminals and diffs, as MathML for browsers.
"""A Sphinx extension. In the pages of theory/ every indented block becomes a list of formulas with
their numbers, and inline code that consists of symbols alone becomes a formula.

The notation: `K_ii^-1 K_ib`, `phi'` (transpose or rate), `w~` (matrix of a cross product), `sqrt(...)`,
`sum_j`, `[A B; C D]`, Greek letters by name, `<=`, `|x|`, two blanks between formulas of one line.
"""

import html
import re

from docutils import nodes
from formula_lines import SHORT, Item, bracket_lines, html_of_pieces, is_high, joined, operator, pieces_of, row

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "eps": "ε", "zeta": "ζ", "eta": "η",
    "theta": "θ", "kappa": "κ", "lambda": "λ", "mu": "μ", "xi": "ξ", "pi": "π", "rho": "ρ",
    "sigma": "σ", "tau": "τ", "phi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "nu": "ν",
    "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ",
    "Omega": "Ω", "Pi": "Π",
}  # fmt: skip
FUNCTIONS = {
    "sin", "cos", "tan", "sine", "cosine", "atan", "atan2", "exp", "log", "log10", "sgn", "sign", "diag", "blkdiag",
    "cond", "trace", "tr", "det", "abs", "grad", "dim", "rank", "arcsin", "asin", "tanh", "atanh",
}  # fmt: skip
WORDS = {
    "the", "and", "for", "with", "else", "at", "of", "is", "to", "as", "in", "by", "up", "or", "both", "then",
    "on", "an", "be", "no", "if", "so", "it", "that", "also", "each", "over", "axes", "load", "row", "from", "zero",
}  # fmt: skip
ACRONYMS = {"OP", "SPC", "MPC", "ASET", "QSET", "OMIT", "SUPORT", "DOF"}
LARGE = {"sum": "∑", "prod": "∏", "max": "max", "min": "min"}
TWO = {"<=": "≤", ">=": "≥", "<-": "←", "->": "→", "-+": "∓", "+-": "±", "..": "…", "...": "…",
       "+=": "+=", "-=": "−=", "=>": "⇒"}  # fmt: skip
# x is a variable here, and the sign of the cross product elsewhere
NO_CROSS = ("theory/modal", "theory/tyres", "theory/substructures", "theory/hamiltonian")

TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<number>\d+\.?\d*(?:e[-+]?\d+)?(?![A-Za-z]))|(?P<word>[A-Z]{2,}(?:_[A-Z]{2,})*_[A-Z]+|[A-Za-z]+[0-9]*)"
    r"|(?P<two><=|>=|<-|->|-\+|\+-|\.\.\.|\.\.|\+=|-=|=>)|(?P<one>.)"
)
NUMBER = re.compile(r"\((\d+[a-z]?)\)")


class Formula:
    """A recursive descent over the tokens of one formula."""

    def __init__(self, text, page, display):
        self.page = page
        self.display = display
        self.tokens = [
            (m.lastgroup, m.group()) for m in TOKEN.finditer(text.strip()) if m.group() != ""
        ]
        self.at = 0

    def peek(self, ahead=0):
        at = self.at + ahead
        return self.tokens[at] if at < len(self.tokens) else ("end", "")

    def mathml(self):
        return row([self.sequence("")] or [""])

    def pieces(self):
        """The formula, divided where a narrow screen may begin a new line: formula_lines.py."""
        return pieces_of(self.fractions(self.items("")))

    # ---- a sequence of factors and signs up to a closing bracket
    def sequence(self, closing):
        return joined(self.fractions(self.items(closing)))

    def items(self, closing):
        items = []
        while True:
            kind, text = self.peek()
            if kind == "end" or (closing and text in closing and self.closes(text)):
                break
            if kind == "space":
                self.at += 1
                continue
            items.append(self.item(items))
        return items

    def closes(self, text):
        return text != "|" or self.at == 0 or self.tokens[self.at - 1][0] != "space"

    def item(self, before):
        kind, text = self.peek()
        if text in LARGE and kind == "word":
            self.at += 1
            sign = operator(LARGE[text], ' movablelimits="false"' if len(LARGE[text]) == 1 else "")
            if self.peek()[1] == "_":
                self.at += 1
                sign = f"<munder>{sign}{self.script()}</munder>"
            return Item("large", sign)
        if kind == "two":
            self.at += 1
            return Item("sign", operator(TWO[text]))
        if self.is_cross(before):
            self.at += 1
            return Item("times", operator("×" if text == "x" else "∘"))
        if text == "." and before and before[-1].kind == "atom":
            self.at += 1
            return Item("times", operator("⋅"))
        if "".join(self.peek(k)[1] for k in range(4)) == "(x) " and self.tokens[self.at - 1][0] == "space":
            self.at += 3
            return Item("times", operator("⊗"))
        if kind == "one" and text not in "([{|":
            self.at += 1
            sign = {"-": "−", "*": "·", "'": "′"}.get(text, text)
            return Item("slash" if text == "/" else "sign", operator(sign))
        text_only = kind == "word" and text != "sqrt" and self.name(text).startswith("<mtext>")
        glued = text == "(" and self.at > 0 and self.tokens[self.at - 1][0] == "word"
        return Item("text" if text_only else "atom", *self.factor(), glued)

    def is_cross(self, before):
        sign = self.peek()[1]
        if sign not in ("x", "o") or not before or before[-1].kind != "atom":
            return False
        if self.page.startswith(NO_CROSS) or self.tokens[self.at - 1][0] != "space":
            return False
        after = self.peek(2)
        return self.peek(1)[0] == "space" and (after[0] in ("word", "number") or after[1] in "([")

    # ---- fractions: only where the denominator ends the product
    def fractions(self, items):
        at = 0
        while at < len(items):
            if items[at].kind != "slash" or at == 0 or at + 1 >= len(items) or not self.display:
                at += 1
                continue
            first = at
            while first > 0 and items[first - 1].kind in ("atom", "times"):
                first -= 1
            below = items[at + 1]
            last = at + 2 < len(items) and items[at + 2].kind in ("atom", "times", "slash")
            numbers = at - first == 1 and items[first].mathml.startswith("<mn>")
            if first == at or below.kind != "atom" or (last and not (numbers and "<mn>" in below.mathml)):
                at += 1
                continue
            above = items[first:at]
            top = above[0].bare if len(above) == 1 and above[0].bare else joined(above)
            bottom = below.bare or below.mathml
            items[first : at + 2] = [Item("atom", f"<mfrac>{top}{bottom}</mfrac>")]
            at = first + 1
        return items

    # ---- a factor: its base, then indices, powers, primes, accents
    def factor(self):
        """MathML of the factor, MathML without its brackets, and its lines where it is long."""
        kind, text = self.peek()
        self.at += 1
        bare, lines = None, None
        if kind == "number":
            base = self.number(text)
        elif kind == "word":
            if text == "sqrt" and self.peek()[1] == "(":
                self.at += 1
                base = f"<msqrt>{self.sequence(')')}</msqrt>"
                self.at += 1
            else:
                base = self.name(text)
        elif text == "[":
            base, lines = self.matrix()
        else:
            base, bare, lines = self.bracketed(text)
        before = self.at
        whole, simple = self.scripts(base)
        if lines:
            self.at = before
            lines.last = self.scripts(lines.last)[0]
        if kind == "word" and text in FUNCTIONS:
            whole, lines = self.applied(whole)
        return whole, bare if simple else None, lines

    def bracketed(self, text):
        close = {"(": ")", "{": "}", "|": "|"}[text]
        items = self.fractions(self.items(close + ("]" if text == "(" else "")))
        inside = joined(items)
        end = self.peek()[1] or close
        self.at += 1
        high = "" if is_high(inside) else ' stretchy="false"'
        base = row([operator(text, high), inside, operator(end, high)])
        return base, inside if text == "(" else None, bracket_lines(text, items, end)

    def applied(self, function):
        blank = self.peek()[0] == "space"
        after = self.peek(1 if blank else 0)
        if after[0] not in ("word", "number") and after[1] not in ("(", "|"):
            return function, None
        if blank:
            self.at += 1
        space = "" if after[1] == "(" else '<mspace width="0.17em"/>'
        argument, _, lines = self.factor()
        if lines:
            lines.first = row([function, lines.first])
        return row([function, space, argument]), lines

    def scripts(self, base):
        below, above, accents, primes = None, [], [], ""
        simple = True
        while True:
            text = self.peek()[1]
            if text == "_" and self.peek(1)[0] in ("word", "number", "one"):
                self.at += 1
                word = self.peek()[1]
                if word in ("dot", "ddot"):
                    self.at += 1
                    accents.append("˙" if word == "dot" else "¨")
                else:
                    more = self.script()
                    below = more if below is None else row([below, operator(","), more])
            elif text == "^":
                self.at += 1
                above.append(self.power())
            elif text == "'":
                self.at += 1
                primes += "′"
            elif text == "*" and self.peek(1)[0] != "number":
                self.at += 1
                above.append(operator("∗"))
            elif text == "~":
                self.at += 1
                accents.append("~")
            else:
                break
            simple = False
        for accent in accents:
            base = f'<mover accent="true">{base}{operator(accent)}</mover>'
        if below and above:
            base = f"<msubsup>{base}{below}{row(above)}</msubsup>"
        elif below:
            base = f"<msub>{base}{below}</msub>"
        elif above:
            base = f"<msup>{base}{row(above)}</msup>"
        if primes:  # beside the base: fonts without mathematical variants draw raised primes as dots
            base = row([base, operator(primes, ' lspace="0" rspace="0"')])
        return base, simple

    def script(self):
        kind, text = self.peek()
        self.at += 1
        if text in "({":
            inside = self.sequence(")}")
            self.at += 1
            return inside
        if kind == "number":
            return f"<mn>{text}</mn>"
        if text in GREEK:
            return f"<mi>{GREEK[text]}</mi>"
        if len(text) <= 2:
            return row([f"<mi>{c}</mi>" if c.isalpha() else f"<mn>{c}</mn>" for c in text])
        return f'<mi mathvariant="normal">{html.escape(text)}</mi>'

    def power(self):
        sign = ""
        if self.peek()[1] in ("-", "+"):
            sign = operator("−" if self.peek()[1] == "-" else "+")
            self.at += 1
        kind, text = self.peek()
        if text in "({":
            return sign + self.script()
        self.at += 1
        if kind == "number":
            out = f"<mn>{text}</mn>"
            if self.peek()[1] == "/" and self.peek(1)[0] == "number" and sign:  # ^-1/2
                out += operator("/") + f"<mn>{self.peek(1)[1]}</mn>"
                self.at += 2
            return row([sign, out]) if sign else out
        return row([sign, self.name(text)] if sign else [self.name(text)])

    @staticmethod
    def number(text):
        mantissa, e, exponent = text.partition("e")
        if not e:
            return f"<mn>{text}</mn>"
        power = f"<msup><mn>10</mn><mn>{exponent.lstrip('+').replace('-', '−')}</mn></msup>"
        return power if mantissa == "1" else f"<mn>{mantissa}</mn>{operator('·')}{power}"

    def name(self, word):
        letters = word.rstrip("0123456789")
        digits = word[len(letters) :]
        if letters in GREEK:
            out = f"<mi>{GREEK[letters]}</mi>"
        elif word in FUNCTIONS or letters in FUNCTIONS:
            return f'<mi mathvariant="normal">{word}</mi>'
        elif len(letters) == 1:
            out = f"<mi>{letters}</mi>"
        elif letters[0] == "d" and letters != "dpi" and (letters[1:] in GREEK or len(letters) == 2):
            return row(["<mi>d</mi>", self.name(word[1:])])
        elif self.is_symbol_with_index(letters):
            return f'<msub><mi>{letters[0]}</mi><mi mathvariant="normal">{word[1:]}</mi></msub>'
        elif letters.isupper() and len(word) <= 3 and word not in ACRONYMS and self.page != "theory/tyres":
            out = "".join(f"<mi>{c}</mi>" for c in letters)
            return out + (f"<mn>{digits}</mn>" if digits else "")
        elif letters.replace("_", "").isupper():
            return f'<mi mathvariant="normal">{word}</mi>'
        else:
            return f"<mtext>&#160;{html.escape(word)}&#160;</mtext>"
        return f"<msub>{out}<mn>{digits}</mn></msub>" if digits else out

    def is_symbol_with_index(self, letters):
        if len(letters) > 4 or letters.replace("_", "").isupper() or letters in WORDS:
            return False
        return letters[0].isupper() or len(letters) == 2 or self.page == "theory/tyres"

    # ---- [A B; C D], or plain brackets
    def matrix(self):
        depth, end, rows = 0, self.at, [[]]
        while end < len(self.tokens):
            text = self.tokens[end][1]
            if depth == 0 and text in "])":
                break
            depth += (text in "([") - (text in ")]")
            if depth == 0 and text == ";":
                rows.append([])
            else:
                rows[-1].append(text)
            end += 1
        closing = self.tokens[end][1] if end < len(self.tokens) else "]"
        self.at = end + 1
        whole = ["".join(line).strip() for line in rows]
        if len(rows) == 1:
            formula = Formula(whole[0], self.page, self.display)
            items = formula.fractions(formula.items(""))
            inside = joined(items)
            high = "" if is_high(inside) else ' stretchy="false"'
            return row([operator("[", high), inside, operator(closing, high)]), bracket_lines("[", items, closing)
        cells = [entries(line) for line in whole]
        if len({len(line) for line in cells}) > 1:
            cells = [[line] for line in whole]
        body = "".join(
            "<mtr>"
            + "".join(f"<mtd>{Formula(c, self.page, False).mathml()}</mtd>" for c in line)
            + "</mtr>"
            for line in cells
        )
        return row([operator("["), f"<mtable>{body}</mtable>", operator("]")]), None


def entries(line):
    """The entries of a row: between commas, else between blanks outside brackets."""
    separator = r",\s+" if re.search(r",\s", line) else r"\s+"
    out, depth, last = [], 0, 0
    for at, sign in enumerate(line):
        depth += (sign in "([") - (sign in ")]")
        here = re.match(separator, line[at:])
        if depth == 0 and here and at >= last:
            out.append(line[last:at])
            last = at + here.end()
    return [*out, line[last:]]


def plain_words(text):
    return [
        word
        for word in re.findall(r"(?<![_A-Za-z0-9])[A-Za-z]{3,}(?![A-Za-z0-9_])", text)
        if word not in GREEK and word not in FUNCTIONS and word not in LARGE and word != "sqrt"
        and word[1:] not in GREEK and not word.isupper()
    ]  # fmt: skip


def math(text, page, display):
    style = ' display="block"' if display else ""
    if not display and len(text) > SHORT:
        return html_of_pieces(Formula(text, page, False).pieces(), "")
    return f"<math{style}>{Formula(text, page, display).mathml()}</math>"


def segment(text, page):
    """One formula of a line, or a remark between formulas."""
    words = plain_words(text)
    if len(words) >= 2 and len(" ".join(words)) > 0.4 * len(text):
        return f"<span>{html.escape(text)}</span>"
    if len(text) <= SHORT:
        return math(text, page, True)
    return f'<span class="long">{html_of_pieces(Formula(text, page, True).pieces())}</span>'


def split_outside_brackets(body):
    """At two blanks or more."""
    out, depth = [""], 0
    for piece in re.split(r"(\s{2,})", body):
        if piece.isspace() and depth <= 0:
            out.append("")
            continue
        out[-1] += piece
        depth += sum(piece.count(c) for c in "([") - sum(piece.count(c) for c in ")]")
    return out


def whole_lines(block):
    """The lines of a block; a bracket that is open at the end of a line goes on in the next one."""
    whole, depth = [], 0
    for line in block.rstrip().split("\n"):
        if depth > 0 and line.strip():
            whole[-1] += " " + line.strip()
        else:
            whole.append(line)
            depth = 0
        depth += sum(line.count(c) for c in "([{") - sum(line.count(c) for c in ")]}")
    return whole


def lines_of(block):
    """(formula, number) for each line of a block; the number is first or last in its line."""
    for line in whole_lines(block):
        body, number = line.strip(), ""
        first = re.match(r"\((\d+[a-z]?)\)\s+", body)
        last = re.search(r"\s{2,}\(?(?:4\.E[-0-9]+\)\s+)?\((\d+[a-z]?)\)$", body)
        if last:
            body, number = body[: last.start()], last.group(1)
        elif first:
            body, number = body[first.end() :], first.group(1)
        yield body, number, len(line) - len(line.lstrip())


def block_of_formulas(block, page):
    out = []
    for body, number, indent in lines_of(block):
        if not body:
            continue
        parts = [segment(each, page) for each in split_outside_brackets(body) if each]
        shift = f' style="margin-left:{min(indent, 12) * 0.5:g}em"' if indent else ""
        tag = f'<span class="number" id="equation-{number}">({number})</span>' if number else ""
        out.append(
            f'<div class="formula"><div class="body" tabindex="0"{shift}>{"".join(parts)}</div>{tag}</div>'
        )
    return f'<div class="formulas">{"".join(out)}</div>'


CODE = re.compile(r"--|\(\)|^\.|\.(h|md|json|csv)\b|[a-z]{3,}/|[a-z]{3,}_[a-z]|^[a-z-]{3,}$|_$|\*|\"|[a-z]-[a-z]")


def is_formula(text, page):
    if text in GREEK:
        return page != "theory/tyres"  # names of the code
    bare = re.sub("|".join([*GREEK, *LARGE, "sqrt", "log10", "cond"]), "g", text)
    words = plain_words(re.sub(r"\b(band|rest|digits|amount|of)\b", "", text))
    if CODE.search(bare) or words or re.search(r"[a-z]{4,}.*[a-z]{4,}.*[a-z]{4,}", bare):
        return False
    return bool(re.search(r"[=^_'~<>/+ |.(]|^[A-Za-z]$", text))


def transform(app, doctree):
    page = app.env.docname
    if not page.startswith("theory/"):
        return
    for node in list(doctree.findall(nodes.literal_block)):
        if node.get("language", "none") in ("none", "default", ""):
            raw = block_of_formulas(node.rawsource or node.astext(), page)
            node.replace_self(nodes.raw("", raw, format="html"))
    for node in list(doctree.findall(nodes.literal)):
        if is_formula(node.astext(), page):
            node.replace_self(nodes.raw("", math(node.astext(), page, False), format="html"))


def setup(app):
    app.connect("doctree-read", transform)
    return {"version": "1", "parallel_read_safe": True}
