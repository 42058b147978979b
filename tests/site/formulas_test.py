# Formulas of the theory pages as MathML: pieces whose form is known.
import pathlib
import re
import sys
import xml.dom.minidom

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs" / "site"))
import formulas


def plain(text, page="theory/modal", display=True):
    return re.sub(r'<mspace[^>]*>| (stretchy|lspace|rspace|movablelimits|display)="[^"]*"', "", formulas.math(text, page, display))


# Truth: MathML written by hand.
CASES = {
    "a / b": "<mfrac><mi>a</mi><mi>b</mi></mfrac>",
    "K_ii^-1": "<msubsup><mi>K</mi><mrow><mi>i</mi><mi>i</mi></mrow><mrow><mo>−</mo><mn>1</mn></mrow></msubsup>",
    "sqrt(k)": "<msqrt><mi>k</mi></msqrt>",
    "U'": "<mrow><mi>U</mi><mo>′</mo></mrow>",
    "w~": '<mover accent="true"><mi>w</mi><mo>~</mo></mover>',
    "1e-6": "<msup><mn>10</mn><mn>−6</mn></msup>",
    "x <= lambda": "<mrow><mi>x</mi><mo>≤</mo><mi>λ</mi></mrow>",
    "[1 0; 0 1]": "<mrow><mo>[</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr>"
    "<mtr><mtd><mn>0</mn></mtd><mtd><mn>1</mn></mtd></mtr></mtable><mo>]</mo></mrow>",
}
for text, wanted in CASES.items():
    assert plain(text) == f"<math>{wanted}</math>", (text, plain(text))
# x is a cross product in mechanics, and a variable in the modal stage
assert "×" in plain("w x s", "theory/multibody") and "×" not in plain("A x b", "theory/modal")
# a denominator that goes on stays a solidus: which factors are below the line must not be guessed
assert "mfrac" not in plain("a / b c")
assert list(formulas.lines_of("u = U eta      (1)"))[0][:2] == ("u = U eta", "1")

# a long formula is divided before signs and factors, a long bracket inside as well; nothing is lost on the way
long = formulas.segment("D = Fz R0 ((QDZ6 + QDZ7 dfz) LRES + (QDZ8 + QDZ9 dfz)(1 + PPZ2 dpi) g) s(Vx)", "theory/tyres")
assert long.count('class="group"') == 1 and '<mo form="infix">+</mo>' in long, long
assert re.sub("<[^>]*>", "", long) == "D=FzR0((QDZ6+QDZ7dfz)LRES+(QDZ8+QDZ9dfz)(1+PPZ2dpi)g)s(Vx)", long
# brackets around fractions are equally high in both of their lines
assert formulas.segment("l = R0 (SSZ1 + SSZ2 Fy/Fn0 + (SSZ3 + SSZ4 dfz) g + SSZ5)", "theory/tyres").count('minsize="2.3em"') == 2
# a bracket that is open at the end of a line goes on in the next
assert [each[:2] for each in formulas.lines_of("M = R (a\n  + b)   (7)\nN = c")] == [("M = R (a + b)", "7"), ("N = c", "")]

# Truth: an XML parser; every block of every page gives well-formed MathML
count = 0
for path in sorted((ROOT / "docs" / "theory").glob("*.md")):
    for block in re.findall(r"(?:^    .*\n)+", path.read_text(encoding="utf-8"), re.M):
        made = formulas.block_of_formulas(block.replace("\n    ", "\n")[4:], f"theory/{path.stem}")
        xml.dom.minidom.parseString(made.replace("&#160;", " "))
        count += made.count("<math")
assert count > 400, count
print(f"{count} formulas")
