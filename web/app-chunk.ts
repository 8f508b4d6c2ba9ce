// Puts what the app's first script imports into one file: a phone that fetches eleven waits longer for the last.

type Graph = { getModuleInfo(id: string): { importedIds: string[] } | null }

/** `entry`: the id of the first script. Returns the chunk's name for a module; null: the bundler decides. */
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
