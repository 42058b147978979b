// Finds the supernodes (dense panels) of a sparse factor L: builds the elimination tree of the
// graph of nodes and the rows of each panel, joins narrow panels, and cuts the tree into levels of
// independent subtrees.
#include "solve/supernodes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <queue>
#include <utility>

#include "femflex/index.h"

namespace femflex::modal {
namespace {

using Ints = std::vector<std::int32_t>;

/// Graph of the matrix. A vertex stands for successive rows of one group in the elimination order.
struct Graph {
  Ints vertex;  // vertex of each row
  Ints weight;  // number of rows of each vertex
  Ints start, next;
  std::int32_t size() const { return static_cast<std::int32_t>(weight.size()); }
};

Graph make_graph(const SparseMatrix& lower, const Ints& order, const Ints& group) {
  Graph graph;
  graph.vertex.resize(order.size());
  std::int32_t last = -1;
  for (const std::int32_t row : order) {
    if (graph.weight.empty() || group[at(row)] != last) graph.weight.push_back(0);
    last = group[at(row)];
    ++graph.weight.back();
    graph.vertex[at(row)] = graph.size() - 1;
  }
  const std::int32_t count = graph.size();
  // first one direction as the triangle gives it, each neighbour once per vertex; then both
  // directions
  Ints half_start(at(count) + 1, 0), half, seen(at(count), -1);
  Ints& degree = graph.start;
  degree.assign(at(count) + 1, 0);
  for (const std::int32_t row : order) {
    const std::int32_t v = graph.vertex[at(row)];
    seen[at(v)] = v;
    for (SparseMatrix::InnerIterator it(lower, row); it; ++it) {
      const std::int32_t u = graph.vertex[static_cast<std::size_t>(it.row())];
      if (seen[at(u)] == v) continue;
      seen[at(u)] = v;
      half.push_back(u);
      ++degree[at(u) + 1];
      ++degree[at(v) + 1];
    }
    half_start[at(v) + 1] = static_cast<std::int32_t>(half.size());
  }
  std::partial_sum(degree.begin(), degree.end(), degree.begin());
  graph.next.resize(at(degree.back()));
  Ints put(degree.begin(), degree.end() - 1);
  for (std::int32_t v = 0; v < count; ++v)
    for (std::int32_t k = half_start[at(v)]; k < half_start[at(v) + 1]; ++k) {
      graph.next[at(put[at(v)]++)] = half[at(k)];
      graph.next[at(put[at(half[at(k)])]++)] = v;
    }
  return graph;
}

/// Elimination tree (Liu, with path compression).
Ints elimination_tree(const Graph& graph) {
  Ints parent(graph.weight.size(), -1), ancestor(graph.weight.size(), -1);
  for (std::int32_t v = 0; v < graph.size(); ++v)
    for (std::int32_t k = graph.start[at(v)]; k < graph.start[at(v) + 1]; ++k)
      for (std::int32_t u = graph.next[at(k)]; u >= 0 && u < v;) {
        const std::int32_t next_ancestor = ancestor[at(u)];
        ancestor[at(u)] = v;
        if (next_ancestor < 0) parent[at(u)] = v;
        u = next_ancestor == v ? -1 : next_ancestor;
      }
  return parent;
}

/// Members of a tree, with children before parents and subtrees together.
Ints postorder(const Ints& parent) {
  const auto count = static_cast<std::int32_t>(parent.size());
  Ints child(parent.size(), -1), sibling(parent.size(), -1), out;
  out.reserve(parent.size());
  for (std::int32_t v = count - 1; v >= 0; --v)
    if (parent[at(v)] >= 0) sibling[at(v)] = std::exchange(child[at(parent[at(v)])], v);
  for (std::int32_t root = 0; root < count; ++root) {
    if (parent[at(root)] >= 0) continue;
    for (std::int32_t v = root; v >= 0;) {
      while (child[at(v)] >= 0)
        v = child[at(v)];
      while (v >= 0) {
        out.push_back(v);
        if (v == root) {
          v = -1;
        } else if (sibling[at(v)] >= 0) {
          v = sibling[at(v)];
          break;
        } else {
          v = parent[at(v)];
        }
      }
    }
  }
  return out;
}

/// A supernode while the tree is built: its vertices in ascending order of label, and the labels of
/// the rows below.
struct Draft {
  Ints vertices, below;
  std::vector<std::int32_t> children;
  std::int32_t parent = -1;
  // number of matrix rows in the supernode (width) and below it (height)
  std::int64_t width = 0, height = 0;
  std::int64_t zeros = 0;  // number of stored entries that are zero in L
  bool is_merged = false;
};

/// Finds the rows of L of each vertex from those of its children. A vertex that adds no row to
/// those of one child joins the supernode of that child (`chain`).
std::vector<Draft> draft_supernodes(const Graph& graph, const Ints& parent, const Ints& post) {
  const std::int32_t count = graph.size();
  Ints label(at(count)), draft_of(at(count), -1), mark(at(count), -1);
  for (std::int32_t k = 0; k < count; ++k)
    label[at(post[at(k)])] = k;
  std::vector<Ints> child_drafts(at(count));  // child supernodes, by label
  std::vector<Draft> drafts;
  for (std::int32_t j = 0; j < count; ++j) {
    const std::int32_t v = post[at(j)];
    Ints below;
    const auto take = [&](std::int32_t u) {
      if (u <= j || mark[at(u)] == j) return;
      mark[at(u)] = j;
      below.push_back(u);
    };
    for (const std::int32_t c : child_drafts[at(j)])
      for (const std::int32_t u : drafts[at(c)].below)
        take(u);
    for (std::int32_t k = graph.start[at(v)]; k < graph.start[at(v) + 1]; ++k)
      take(label[at(graph.next[at(k)])]);
    std::int32_t chain = -1;  // supernode of a child whose rows are this vertex and its rows
    for (const std::int32_t c : child_drafts[at(j)])
      if (drafts[at(c)].below.size() == below.size() + 1) chain = c;
    if (chain < 0) {
      chain = static_cast<std::int32_t>(drafts.size());
      drafts.emplace_back();
    }
    Draft& draft = drafts[at(chain)];
    draft.vertices.push_back(j);
    for (const std::int32_t c : child_drafts[at(j)])
      if (c != chain) draft.children.push_back(c);
    draft.below = std::move(below);
    Ints().swap(child_drafts[at(j)]);
    if (parent[at(v)] >= 0) child_drafts[at(label[at(parent[at(v)])])].push_back(chain);
  }
  for (std::size_t d = 0; d < drafts.size(); ++d)
    for (const std::int32_t c : drafts[d].children)
      drafts[at(c)].parent = static_cast<std::int32_t>(d);
  for (Draft& draft : drafts) {
    for (const std::int32_t j : draft.vertices)
      draft.width += graph.weight[at(post[at(j)])];
    for (const std::int32_t j : draft.below)
      draft.height += graph.weight[at(post[at(j)])];
  }
  return drafts;
}

/// True if a supernode of `width` columns may hold this share of zeros. Narrow ones may hold more,
/// because products of few columns are slow; the rule is that of CHOLMOD [Chen 2008], with limits
/// for the wider panels of this program.
bool is_worth_joining(std::int64_t width, double zeros) {
  constexpr std::int64_t kAlwaysJoined = 24;  // [columns] joined whatever the zeros
  constexpr std::array<std::pair<std::int64_t, double>, 2> kLimits{{{48, 0.3}, {96, 0.1}}};
  constexpr double kAnyWidth = 0.05;
  return width <= kAlwaysJoined || zeros < kAnyWidth ||
         std::any_of(kLimits.begin(), kLimits.end(), [&](const auto& limit) {
           return width <= limit.first && zeros < limit.second;
         });
}

/// Joins narrow children to their parents, which stores some zeros but gives fewer and larger
/// products.
void amalgamate(std::vector<Draft>& drafts) {
  Ints parent(drafts.size());
  for (std::size_t d = 0; d < drafts.size(); ++d)
    parent[d] = drafts[d].parent;
  for (const std::int32_t p : postorder(parent)) {
    Draft& parent_draft = drafts[at(p)];
    for (std::size_t k = 0; k < parent_draft.children.size();) {
      const std::int32_t c = parent_draft.children[k];
      Draft& child_draft = drafts[at(c)];
      const std::int64_t width = parent_draft.width + child_draft.width;
      const std::int64_t zeros =
          parent_draft.zeros + child_draft.zeros +
          child_draft.width * (parent_draft.width + parent_draft.height - child_draft.height);
      const std::int64_t stored = width * (width + 1) / 2 + width * parent_draft.height;
      const double share = static_cast<double>(zeros) / static_cast<double>(stored);
      if (!is_worth_joining(width, share)) {
        ++k;
        continue;
      }
      parent_draft.vertices.insert(
          parent_draft.vertices.end(), child_draft.vertices.begin(), child_draft.vertices.end());
      parent_draft.width = width;
      parent_draft.zeros = zeros;
      parent_draft.children.erase(parent_draft.children.begin() + static_cast<std::ptrdiff_t>(k));
      for (const std::int32_t grandchild : child_draft.children) {
        drafts[at(grandchild)].parent = p;
        parent_draft.children.push_back(grandchild);
      }
      child_draft = Draft{};
      child_draft.is_merged = true;
    }
  }
}

double work_of(const Draft& draft) {
  const auto w = static_cast<double>(draft.width), r = static_cast<double>(draft.height);
  return w * w * w / 3.0 + w * w * r + w * r * r;
}

/// The roots of the subtrees in each bin of a level.
using Bins = std::vector<Ints>;

/// Cuts subtrees off the part marked in `above`, with about equal work in each of `count` bins, and
/// removes their mark. No subtree has more than `share` of the marked work. No bins if there is
/// only a single trunk.
Bins cut_level(const std::vector<Draft>& drafts,
               const Ints& post,
               std::size_t count,
               double share,
               std::vector<bool>& above) {
  std::vector<double> work(drafts.size(), 0.0);
  for (const std::int32_t d : post) {
    if (!above[at(d)]) continue;
    work[at(d)] += work_of(drafts[at(d)]);
    if (drafts[at(d)].parent >= 0) work[at(drafts[at(d)].parent)] += work[at(d)];
  }
  const auto lighter = [&](std::int32_t a, std::int32_t b) {
    return work[at(a)] != work[at(b)] ? work[at(a)] < work[at(b)] : a < b;
  };
  std::priority_queue<std::int32_t, Ints, decltype(lighter)> heaviest(lighter);
  double total = 0.0;
  for (const std::int32_t d : post)
    if (above[at(d)] && drafts[at(d)].parent < 0) {
      heaviest.push(d);
      total += work[at(d)];
    }
  while (!heaviest.empty() && work[at(heaviest.top())] > share * total) {
    const std::int32_t d = heaviest.top();
    heaviest.pop();
    for (const std::int32_t c : drafts[at(d)].children)
      if (above[at(c)]) heaviest.push(c);
  }
  if (heaviest.empty()) return {};
  Bins bins(count);
  std::vector<double> load(count, 0.0);
  std::vector<bool> is_cut(drafts.size(), false);
  for (; !heaviest.empty(); heaviest.pop()) {
    const auto bin = std::min_element(load.begin(), load.end()) - load.begin();
    load[static_cast<std::size_t>(bin)] += work[at(heaviest.top())];
    bins[static_cast<std::size_t>(bin)].push_back(heaviest.top());
    is_cut[at(heaviest.top())] = true;
  }
  for (std::size_t k = post.size(); k-- > 0;) {  // parents before children
    const std::int32_t d = post[k];
    const std::int32_t parent = drafts[at(d)].parent;
    if (!above[at(d)]) continue;
    if (parent >= 0 && is_cut[at(parent)]) is_cut[at(d)] = true;
    if (is_cut[at(d)]) above[at(d)] = false;
  }
  return bins;
}

/// The bins of each level; the remaining trunk is the last one.
std::vector<Bins> split_tree(const std::vector<Draft>& drafts,
                             const Ints& post,
                             std::vector<bool>& above) {
  constexpr double kMinParallelWork = 2e7;  // [flop] below this, threads take longer than they save
  double total = 0.0;
  for (const std::int32_t d : post)
    total += work_of(drafts[at(d)]);
  above.assign(drafts.size(), false);
  for (const std::int32_t d : post)
    above[at(d)] = true;
  std::vector<Bins> levels;
  if (total < kMinParallelWork) return levels;
  // {number of bins, largest share of the work}: many small subtrees first, then what joins them
  constexpr std::array<std::pair<std::size_t, double>, 3> cuts{{{8, 0.0625}, {4, 0.25}, {2, 0.6}}};
  for (const auto& [count, share] : cuts) {
    Bins bins = cut_level(drafts, post, count, share, above);
    if (!bins.empty()) levels.push_back(std::move(bins));
  }
  return levels;
}

/// Appends the nodes of the subtree under `root` that have not been placed yet, children before
/// parents.
void append_subtree(const std::vector<Draft>& drafts,
                    std::int32_t root,
                    std::vector<bool>& placed,
                    Ints& sequence) {
  Ints open{root}, found;
  while (!open.empty()) {
    const std::int32_t d = open.back();
    open.pop_back();
    found.push_back(d);
    placed[at(d)] = true;
    for (const std::int32_t c : drafts[at(d)].children)
      if (!placed[at(c)]) open.push_back(c);
  }
  sequence.insert(sequence.end(), found.rbegin(), found.rend());
}

/// The order of Supernodes::lean_order [Liu 1986]: of several children, the one comes first whose
/// subtree needs most beyond the contribution that it leaves.
Ints find_lean_order(const Supernodes& tree) {
  std::vector<double> left(tree.nodes.size()), peak(tree.nodes.size());  // numbers in contributions
  std::vector<Ints> children = tree.children;
  for (std::size_t s = 0; s < tree.nodes.size(); ++s) {
    const double r = tree.nodes[s].below;
    left[s] = 0.5 * r * (r + 1.0);
    std::stable_sort(children[s].begin(), children[s].end(), [&](std::int32_t a, std::int32_t b) {
      return peak[at(a)] - left[at(a)] > peak[at(b)] - left[at(b)];
    });
    double kept = 0.0;
    for (const std::int32_t c : children[s]) {
      peak[s] = std::max(peak[s], kept + peak[at(c)]);
      kept += left[at(c)];
    }
    peak[s] = std::max(peak[s], kept + left[s]);
  }
  Ints open, out;  // found parents first and, of several children, the last one first
  for (std::size_t s = 0; s < tree.nodes.size(); ++s)
    if (tree.nodes[s].parent < 0) open.push_back(static_cast<std::int32_t>(s));
  while (!open.empty()) {
    const std::int32_t s = open.back();
    open.pop_back();
    out.push_back(s);
    open.insert(open.end(), children[at(s)].begin(), children[at(s)].end());
  }
  std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace

Supernodes find_supernodes(const SparseMatrix& lower,
                           const std::vector<std::int32_t>& order,
                           const std::vector<std::int32_t>& group) {
  const Graph graph = make_graph(lower, order, group);
  const Ints tree = elimination_tree(graph);
  const Ints post = postorder(tree);
  std::vector<Draft> drafts = draft_supernodes(graph, tree, post);
  amalgamate(drafts);

  // each remaining draft gets a new number, level by level and bin by bin
  Ints parent(drafts.size(), -1);
  for (std::size_t d = 0; d < drafts.size(); ++d)
    parent[d] = drafts[d].is_merged ? -1 : drafts[d].parent;
  Ints remaining;
  for (const std::int32_t d : postorder(parent))
    if (!drafts[at(d)].is_merged) remaining.push_back(d);
  std::vector<bool> trunk;
  const std::vector<Bins> levels = split_tree(drafts, remaining, trunk);
  Supernodes out;
  Ints sequence, number(drafts.size(), -1);
  const auto here = [&] { return static_cast<std::int32_t>(sequence.size()); };
  std::vector<bool> placed(drafts.size(), false);
  for (const Bins& bins : levels) {
    out.level.push_back({here()});
    for (const Ints& roots : bins) {
      for (const std::int32_t root : roots)
        append_subtree(drafts, root, placed, sequence);
      out.level.back().push_back(here());
    }
  }
  out.level.push_back({here()});
  for (const std::int32_t d : remaining)
    if (trunk[at(d)]) sequence.push_back(d);
  out.level.back().push_back(here());
  for (std::size_t s = 0; s < sequence.size(); ++s)
    number[at(sequence[s])] = static_cast<std::int32_t>(s);

  // final positions of vertices, then of rows
  Ints vertex_place(graph.weight.size(), 0);
  std::int32_t next = 0;
  out.nodes.resize(sequence.size());
  out.children.resize(sequence.size());
  for (std::size_t s = 0; s < sequence.size(); ++s) {
    Draft& draft = drafts[at(sequence[s])];
    std::sort(draft.vertices.begin(), draft.vertices.end());
    out.nodes[s].first = next;
    for (const std::int32_t j : draft.vertices) {
      vertex_place[at(post[at(j)])] = next;
      next += graph.weight[at(post[at(j)])];
    }
    out.nodes[s].width = next - out.nodes[s].first;
  }
  out.place.resize(order.size());
  Ints put = vertex_place;
  for (const std::int32_t row : order)
    out.place[at(row)] = put[at(graph.vertex[at(row)])]++;
  for (std::size_t s = 0; s < sequence.size(); ++s) {
    Draft& draft = drafts[at(sequence[s])];
    Supernode& node = out.nodes[s];
    node.rows = static_cast<std::int64_t>(out.rows.size());
    node.panel = out.size;
    for (const std::int32_t j : draft.below) {
      const std::int32_t v = post[at(j)];
      for (std::int32_t k = 0; k < graph.weight[at(v)]; ++k)
        out.rows.push_back(vertex_place[at(v)] + k);
    }
    std::sort(out.rows.begin() + node.rows, out.rows.end());
    node.below = static_cast<std::int32_t>(static_cast<std::int64_t>(out.rows.size()) - node.rows);
    if (draft.parent >= 0) {
      node.parent = number[at(draft.parent)];
      out.children[at(node.parent)].push_back(static_cast<std::int32_t>(s));
    }
    const auto w = static_cast<std::int64_t>(node.width), r = static_cast<std::int64_t>(node.below);
    out.size += w * (w + r);
    out.entries += w * (w + 1) / 2 + w * r;
    out.flops += work_of(draft);
  }
  out.lean_order = find_lean_order(out);
  return out;
}

}  // namespace femflex::modal
