// Weights of the search: a page whose title or path has the word comes first.
var Scorer = {
  score: ([, title, , , score, filename]) => {
    const asked = (new URLSearchParams(window.location.search).get('q') ?? '').toLowerCase().trim();
    const name = title.toLowerCase();
    const path = filename.toLowerCase();
    let more = 0;
    for (const word of asked.split(/[^a-z0-9]+/).filter((each) => each.length > 1)) {
      if (name.split(/[^a-z0-9]+/).includes(word)) more += 12;
      if (path.split(/[^a-z0-9]+/).includes(word)) more += 20;
    }
    // pages about one thing before pages that list everything
    if (/^(theory|how-to|formats|paths)\//.test(path)) more += 6;
    if (/^(index|commands|bibliography|python_reference|gallery|comparison|performance)\./.test(path)) more -= 6;
    return score + more;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
