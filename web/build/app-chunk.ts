// Bundles everything that the app's first script imports into one file, because many files load slowly on a slow network.

type Graph = { getModuleInfo(id: string): { importedIds: string[] } | null }

/** `entry` is the id of the first script. The result names a module's chunk; null leaves the choice to the bundler. */
export function appChunk(entry: string): (id: string, graph: Graph) => string | null {
  let app: Set<string> | undefined
  return (id, graph) => {
    app ??= reachable(entry, graph)
    return app.has(id) ? 'app' : null
  }
}

function reachable(entry: string, graph: Graph): Set<string> {
  const found = new Set([entry])
  for (const id of found)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  return found
}
