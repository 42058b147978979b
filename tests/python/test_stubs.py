"""Type stubs match the package."""

import ast
from pathlib import Path

import femflex as ff
from femflex import _core, _verbs

HERE = Path(_core.__file__).parent


def names_in(tree):
    return {
        node.name if not isinstance(node, ast.AnnAssign) else node.target.id
        for node in tree.body
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AnnAssign))
    }


def test_every_verb_has_a_stub_with_its_options():
    # truth: the table of verbs
    tree = ast.parse((HERE / "__init__.pyi").read_text())
    stubs = {n.name: [a.arg for a in n.args.kwonlyargs] for n in tree.body
             if isinstance(n, ast.FunctionDef)}
    for name, verb in zip(_verbs.FUNCTIONS, _verbs.VERBS.values()):
        assert stubs[name] == [
            *_verbs.options_of(verb), *_verbs.MORE_ARGUMENTS.get(verb["name"], {}), "progress"]


def test_every_public_name_has_a_stub():
    # truth: the names themselves
    tree = ast.parse((HERE / "__init__.pyi").read_text())
    imported = {a.asname or a.name for n in tree.body if isinstance(n, ast.ImportFrom)
                for a in n.names}
    assigned = {t.id for n in tree.body if isinstance(n, ast.Assign) for t in n.targets}
    known = names_in(tree) | imported | assigned
    assert set(ff.__all__) <= known


def test_every_member_of_a_compiled_class_has_a_stub_and_a_docstring():
    # truth: the classes themselves
    tree = ast.parse((HERE / "_core.pyi").read_text())
    classes = {n.name: names_in(n) for n in tree.body if isinstance(n, ast.ClassDef)}
    for name in ("FeModel", "FlexBody", "ModeSet", "Result", "Contents"):
        cls = getattr(_core, name)
        assert cls.__doc__
        for member in vars(cls):
            if member.startswith("_"):
                continue
            assert member in classes[name], f"{name}.{member}"
            assert getattr(cls, member).__doc__, f"{name}.{member}"
    functions = {n for n in vars(_core) if not n.startswith("_") and callable(getattr(_core, n))}
    assert functions <= names_in(tree)
