// The API's description of itself, for programs and for people. No key is asked for.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { etag } from 'hono/etag'
import { notFound } from '../errors.ts'
import { buildDocument } from '../openapi/document.ts'
import { PAGE_FILES, page, pagePolicy } from './reference-page.ts'

const require = createRequire(import.meta.url)

export function referenceRoutes() {
  const routes = new Hono()
  let document: string | null = null

  routes.use('/openapi.json', compress(), etag())
  routes.get('/openapi.json', c => {
    document ??= JSON.stringify(buildDocument())
    c.header('Cache-Control', 'no-cache')
    return c.body(document, 200, { 'Content-Type': 'application/json' })
  })

  routes.get('/docs', c => {
    c.header('Content-Security-Policy', pagePolicy)
    c.header('X-Content-Type-Options', 'nosniff')
    c.header('Referrer-Policy', 'no-referrer')
    c.header('Cache-Control', 'no-cache')
    return c.html(page)
  })

  routes.use('/docs/*', compress(), etag())
  routes.get('/docs/:file', async c => {
    const file = c.req.param('file')
    if (!isPageFile(file)) throw notFound()
    c.header('Cache-Control', 'public, max-age=3600')
    c.header('X-Content-Type-Options', 'nosniff')
    return c.body(await readFile(require.resolve(`swagger-ui-dist/${file}`)), 200, {
      'Content-Type': PAGE_FILES[file],
    })
  })

  return routes
}

const isPageFile = (name: string): name is keyof typeof PAGE_FILES => Object.hasOwn(PAGE_FILES, name)
