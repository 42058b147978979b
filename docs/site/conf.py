# Sphinx configuration of the site: Markdown by MyST, the theme Furo, formulas as MathML.
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

project = "femflex"
copyright = "the femflex authors, MIT licence"
extensions = ["myst_parser", "formulas"]
source_suffix = {".md": "markdown"}
root_doc = "index"
exclude_patterns = ["changes", "site"]
myst_heading_anchors = 4
# words in code blocks are not highlighted where a fence names no language
highlight_language = "none"
# jsonc has no lexer of its own
suppress_warnings = ["misc.highlighting_failure"]
smartquotes = False

html_theme = "furo"
# black on light grey: the contrast of coloured texts is too low
pygments_style = "bw"
html_title = "femflex"
html_static_path = [os.path.join(os.path.dirname(os.path.abspath(__file__)), "static")]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_permalinks = True
# a page from a disk may not fetch: results are shown without excerpts
html_show_search_summary = False
html_search_scorer = os.path.join(os.path.dirname(os.path.abspath(__file__)), "scorer.js")
html_theme_options = {"navigation_with_keys": False}


def setup(app):
    # MyST gives `jsonc` and `text` fences as they are; both are read as plain or JSON
    from sphinx.highlighting import lexers
    from pygments.lexers.javascript import JavascriptLexer

    lexers["jsonc"] = JavascriptLexer()
