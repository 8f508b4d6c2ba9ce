// The OpenAPI document and the page that shows it. Neither needs a key.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { etag } from 'hono/etag'
import { notFound } from '../errors.ts'
import type { Routes } from './deps.ts'
import { buildDocument, getDocument, getPage } from './openapi.ts'
import { serve } from './operation.ts'
import { PAGE_FILES, page, pagePolicy } from './reference-page.ts'
import { staticResponse } from './static-response.ts'

const require = createRequire(import.meta.url)

const pageFile = (name: string, type: string) =>
  staticResponse(() => readFile(require.resolve(`swagger-ui-dist/${name}`)), {
    'Content-Type': type,
    'Cache-Control': 'public, max-age=3600',
    'X-Content-Type-Options': 'nosniff',
  })

export function addReferenceRoutes(routes: Routes) {
  const document = staticResponse(async () => Buffer.from(JSON.stringify(buildDocument())), {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-cache',
  })
  serve(routes, getDocument, etag(), document)

  serve(routes, getPage, c => {
    c.header('Content-Security-Policy', pagePolicy)
    c.header('X-Content-Type-Options', 'nosniff')
    c.header('Referrer-Policy', 'no-referrer')
    c.header('Cache-Control', 'no-cache')
    return c.html(page)
  })

  const files = new Map(Object.entries(PAGE_FILES).map(([name, type]) => [name, pageFile(name, type)]))
  routes.get('/docs/:file', etag(), c => {
    const file = files.get(c.req.param('file'))
    if (!file) throw notFound()
    return file(c)
  })
}
