/**
 * The cycles between folders, at every depth: `libs/a/x` and `libs/b/y` that import each other's parents are a cycle too.
 * @param imports the folders of the importing and of the imported file
 * @returns each cycle once, as its folders in order of import
 */
export function folderCycles(imports: [from: string, to: string][]): string[][] {
  const depth = Math.max(0, ...imports.flat().map((folder) => folder.split('/').length));
  const found = new Map<string, string[]>();
  for (let level = 1; level <= depth; level++) {
    for (const cycle of cyclesAt(imports, level)) {
      const key = cycle.toSorted().join();
      if (!found.has(key)) found.set(key, cycle);
    }
  }
  return [...found.values()];
}

function cyclesAt(imports: [string, string][], level: number): string[][] {
  const cut = (folder: string) => folder.split('/').slice(0, level).join('/');
  const graph = new Map<string, Set<string>>();
  for (const [from, to] of imports) {
    if (cut(from) === cut(to)) continue;
    graph.set(cut(from), (graph.get(cut(from)) ?? new Set()).add(cut(to)));
  }
  return [...graph.keys()].flatMap((start) => {
    const cycle = pathBack(graph, start);
    return cycle ? [cycle] : [];
  });
}

/** The shortest way from a folder back to itself. */
function pathBack(graph: Map<string, Set<string>>, start: string): string[] | undefined {
  const paths = [[start]];
  const visited = new Set<string>();
  for (let path = paths.shift(); path; path = paths.shift()) {
    for (const next of graph.get(path.at(-1)!) ?? []) {
      if (next === start) return path;
      if (visited.has(next)) continue;
      visited.add(next);
      paths.push([...path, next]);
    }
  }
  return undefined;
}
