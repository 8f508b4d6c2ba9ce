// Bundles everything that the app's first script imports into one file, because many files load slowly on a slow network.

type Graph = { getModuleInfo(id: string): { importedIds: string[] } | null }

/** `entry` is the id of the first script. The result names a module's chunk; null leaves the choice to the bundler. */
export function appChunk(entry: string): (id: string, graph: Graph) => string | null {
  let app: Set<string> | undefined
  return (id, graph) => {
    if (!app) {
      app = new Set([entry])
      for (const found of app)
        for (const imported of graph.getModuleInfo(found)?.importedIds ?? []) app.add(imported)
    }
    return app.has(id) ? 'app' : null
  }
}
