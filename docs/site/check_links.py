# Links of a folder of HTML pages: every file and every anchor must be there.
import html.parser
import pathlib
import sys
import urllib.parse


class Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.targets, self.anchors = [], set()

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if value and name in ("id", "name"):
                self.anchors.add(value)
            if value and name in ("href", "src") and not (tag == "link" and value.startswith("#")):
                self.targets.append(value)


def read(path):
    links = Links()
    links.feed(path.read_text(encoding="utf-8", errors="replace"))
    return links


def dead_links(folder):
    """Lines 'page -> target' for each link inside the folder that leads nowhere."""
    folder = pathlib.Path(folder).resolve()
    # live pages hold one page of their own each, Doxygen checks its own
    own = [p for p in folder.rglob("*.html") if not {"gallery", "cpp"} & set(p.relative_to(folder).parts[:-1])]
    pages = {path: read(path) for path in own}
    dead = []
    for path, links in pages.items():
        for target in links.targets:
            parts = urllib.parse.urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            file = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if not file.exists():
                dead.append(f"{path.relative_to(folder)} -> {target}")
            elif parts.fragment and file.suffix == ".html" and file in pages:
                if urllib.parse.unquote(parts.fragment) not in pages[file].anchors:
                    dead.append(f"{path.relative_to(folder)} -> {target}")
    return dead


if __name__ == "__main__":
    found = dead_links(sys.argv[1])
    print("\n".join(found))
    sys.exit(1 if found else 0)
