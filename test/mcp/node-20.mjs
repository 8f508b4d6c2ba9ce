// The conformance suite imports `globSync`, which Node has since 22, for a command that these tests don't use.
import { register } from 'node:module'

const hooks = `
export async function load(url, context, next) {
  const loaded = await next(url, context)
  if (!url.endsWith('/conformance/dist/index.js')) return loaded
  return { ...loaded, source: String(loaded.source).replace(/globSync as \\w+,/, '') }
}`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)
