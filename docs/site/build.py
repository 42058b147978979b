#!/usr/bin/python3
# Builds the site: build.py PROGRAM OUT [--no-pictures] [--no-cpp]
"""Stages docs/ beside OUT, runs the gallery's commands, makes the reference of the Python package, runs
Sphinx and Doxygen, and checks every link. Needs python3-sphinx, python3-myst-parser and furo of Debian."""

import argparse
import hashlib
import html
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from check_links import dead_links
from python_reference import python_reference

DOCS = pathlib.Path(__file__).resolve().parent.parent
ROOT = DOCS.parent
BLOCK = re.compile(r"```sh\n(.*?)```\n", re.S)
NAMED = re.compile(r"(?<!\[)`docs/([a-z0-9_/-]+)\.md`(?!\])")
PRE = re.compile(r"<pre[ >].*?</pre>", re.S)
OPTION = re.compile(r"([\s>])(--[a-z][a-z0-9-]*)")
PAGE = re.compile(r"femflex view .*-o (\S+\.html)")


def stage(source):
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(DOCS, source, ignore=shutil.ignore_patterns("site", "changes"))
    # a document that a text names by its path is a link here
    for page in source.rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        base = os.path.relpath(source, page.parent)
        page.write_text(NAMED.sub(lambda name: f"[{name[1]}]({base}/{name[1]}.md)", text), encoding="utf-8")
    with open(source / "index.md", "a", encoding="utf-8") as index:
        index.write((DOCS / "site" / "contents.md").read_text(encoding="utf-8"))


def run_gallery(program, source, with_pictures):
    """Runs the commands of gallery.md and puts picture and link of each page under its block."""
    text = (source / "gallery.md").read_text(encoding="utf-8")
    pages = source / "extra" / "gallery"
    pages.mkdir(parents=True)
    with tempfile.TemporaryDirectory(prefix="femflex-gallery-") as folder:
        for name in ("data", "examples"):
            os.symlink(ROOT / name, os.path.join(folder, name))
        environment = dict(os.environ, PATH=f"{program.parent}:{os.environ['PATH']}")
        lines = "set -e\n" + "".join(BLOCK.findall(text))
        done = subprocess.run(["bash", "-c", lines], cwd=folder, env=environment, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"docs/gallery.md: {done.stderr}")
        names = PAGE.findall(text)
        for name in names:
            shutil.copy(os.path.join(folder, name), pages / name)
    pictures = take_pictures(pages, names, source.parent / "site-pictures") if with_pictures else set()

    def shown(block):
        name = PAGE.search(block.group()).group(1)
        title = re.findall(r"^### (.*)$", text[: block.start()], re.M)[-1]
        picture = name.replace(".html", ".png")
        inside = f"<img src='gallery/{picture}' alt='{html.escape(title, True)}' loading='lazy'>" if picture in pictures else ""
        return f"{block.group()}\n<a class='live' href='gallery/{name}'>{inside}open the live page: {html.escape(title)}</a>\n"

    (source / "gallery.md").write_text(BLOCK.sub(shown, text), encoding="utf-8")


def take_pictures(pages, names, kept):
    """One picture for each page; none where node or Chromium is missing. Pictures are kept by the
    content of their page, since a software renderer takes seconds for each."""
    keys = {name: hashlib.sha256((pages / name).read_bytes()).hexdigest()[:32] + ".png" for name in names}
    wanted = [name for name in names if not (kept / keys[name]).exists()]
    node = shutil.which("node") or shutil.which("nodejs")
    if wanted and not (node and (shutil.which("chromium") or os.environ.get("FEMFLEX_CHROMIUM"))):
        print("femflex: the gallery has no pictures: node or Chromium is missing", file=sys.stderr)
        return set()
    script = DOCS / "site" / "pictures.mjs"
    if wanted:
        subprocess.run([node, str(script), str(pages), *wanted], check=True)
    kept.mkdir(exist_ok=True)
    for name, key in keys.items():
        picture = pages / name.replace(".html", ".png")
        if name in wanted:
            shutil.copy(picture, kept / key)
        else:
            shutil.copy(kept / key, picture)
    return {path.name for path in pages.glob("*.png")}


def python_pages(source):
    made = (ROOT / "python" / "femflex" / "__init__.pyi").read_text(encoding="utf-8")
    core = (ROOT / "python" / "femflex" / "_core.pyi").read_text(encoding="utf-8")
    commands = (DOCS / "commands.md").read_text(encoding="utf-8")
    (source / "python_reference.md").write_text(python_reference(made, core, commands), encoding="utf-8")


def cpp_pages(source, out):
    if not shutil.which("doxygen"):
        print("femflex: no pages of the C++ API: doxygen is missing", file=sys.stderr)
        return
    configuration = (DOCS / "Doxyfile").read_text(encoding="utf-8")
    configuration += f"\nOUTPUT_DIRECTORY={out}\nHTML_OUTPUT=cpp\nHTML_EXTRA_STYLESHEET={DOCS}/site/cpp.css\n"
    subprocess.run(["doxygen", "-"], input=configuration, text=True, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    # it takes texts such as file:12 for addresses, names no language, and points at lists that it leaves out
    for page in (out / "cpp").glob("*.html"):
        text = page.read_text(encoding="utf-8")
        mended = re.sub(r'<a href="file:[^"]*">(.*?)</a>', r"\1", text)
        if 'name="nested-classes"' not in mended:
            mended = re.sub(r'<a href="#nested-classes">\w+</a> (&#124;|\|)?', "", mended)
        mended = mended.replace('<table class="mlabels">', '<table class="mlabels" tabindex="0">')
        mended = mended.replace('<html xmlns="http://www.w3.org/1999/xhtml">', '<html xmlns="http://www.w3.org/1999/xhtml" lang="en">')
        if mended != text:
            page.write_text(mended, encoding="utf-8")


def mend_theme(out):
    """The theme of Debian imports a module and a style sheet of a web server's folder: a page from a
    disk may load neither, so both become plain files beside it."""
    styles, scripts = out / "_static" / "styles", out / "_static" / "scripts"
    style = (styles / "furo.css").read_text(encoding="utf-8")
    server = re.search(r"url\((/javascript/\S+?\.css)\)", style)
    if server:
        shutil.copy("/usr/share" + server.group(1), styles / "normalize.css")
        (styles / "furo.css").write_text(style.replace(server.group(1), "normalize.css"), encoding="utf-8")
    script = (scripts / "furo.js").read_text(encoding="utf-8")
    line = re.match(r"import Gumshoe from .*\n", script)
    if line:
        spy = (scripts / "gumshoe-patched.js").read_text(encoding="utf-8")
        (scripts / "furo.js").write_text(f"{spy}\n(() => {{\n{script[line.end():]}\n}})();\n", encoding="utf-8")


def mend_for_readers(out):
    """Captions of the contents are headings of the second level; tables and texts that scroll take the focus; an
    option is one word, of which no line ends behind the first hyphens."""
    for page in out.rglob("*.html"):
        if page.parent.name in ("gallery", "cpp"):
            continue
        text = page.read_text(encoding="utf-8")
        mended = text.replace('class="caption" role="heading"', 'class="caption" role="heading" aria-level="2"')
        mended = mended.replace('<table class="docutils', '<table tabindex="0" class="docutils')
        mended = mended.replace("<pre>", '<pre tabindex="0">')
        mended = mended.replace('<span class="pre">--', '<span class="pre option">--')
        mended = PRE.sub(lambda block: OPTION.sub(r'\1<span class="option">\2</span>', block.group()), mended)
        if mended != text:
            page.write_text(mended, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--no-pictures", action="store_true")
    parser.add_argument("--no-cpp", action="store_true")
    given = parser.parse_args()
    out = given.out.resolve()
    source = out.parent / (out.name + "-source")
    stage(source)
    python_pages(source)
    run_gallery(given.program.resolve(), source, not given.no_pictures)
    with_cpp = not given.no_cpp and shutil.which("doxygen")
    if with_cpp:
        with open(source / "api.md", "a", encoding="utf-8") as page:
            page.write("\n<a href='cpp/index.html'>Pages of every header, made by Doxygen</a>\n")
    shutil.rmtree(out, ignore_errors=True)
    subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-j", "2", "-W", "--keep-going", "-b", "html", "-c", str(DOCS / "site"),
         "-d", str(source / "doctrees"), str(source), str(out)],
        check=True, cwd=source,
    )  # fmt: skip
    if with_cpp:
        cpp_pages(source, out)
    mend_theme(out)
    mend_for_readers(out)
    shutil.copytree(source / "extra" / "gallery", out / "gallery")
    dead = dead_links(out)
    for line in dead:
        print(f"femflex: dead link: {line}", file=sys.stderr)
    if dead:
        sys.exit(1)
    print(f"{out}/index.html")


if __name__ == "__main__":
    main()
