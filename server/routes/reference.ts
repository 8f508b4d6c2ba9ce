// The OpenAPI document, and the address of the page that shows it. Neither needs a key.
import { etag } from 'hono/etag'
import type { Routes } from './deps.ts'
import { buildDocument, getDocument, getPage } from './openapi.ts'
import { serve } from './operation.ts'
import { staticResponse } from './static-response.ts'

export function addReferenceRoutes(routes: Routes) {
  const document = staticResponse(async () => Buffer.from(JSON.stringify(buildDocument())), {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-cache',
  })
  serve(routes, getDocument, etag(), document)

  serve(routes, getPage, c => {
    c.header('Cache-Control', 'no-cache')
    // Browsers keep the fragment, which names an operation.
    return c.redirect('/docs')
  })
}
