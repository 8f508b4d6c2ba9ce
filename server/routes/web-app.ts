// The web app's files; every other path gets the app's page. Browsers revalidate files without a hash in their name.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { secureHeaders } from 'hono/secure-headers'
import { projectPath } from '../project.ts'
import type { Routes } from './deps.ts'

const PAGES = /^\/($|c\/|w\/|sign-in|sign-up|join|reset|docs|dashboard|settings)/

const root = projectPath('dist/web')

export function addWebAppRoutes(routes: Routes) {
  routes.use(
    secureHeaders({
      contentSecurityPolicy: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...inlineScripts()],
        imgSrc: ['http:', 'https:', 'data:'],
        styleSrc: ["'self'", "'unsafe-inline'"],
        connectSrc: ["'self'", 'ws:', 'wss:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'self'"],
      },
      strictTransportSecurity: false,
      crossOriginResourcePolicy: false,
      crossOriginOpenerPolicy: 'same-origin',
      originAgentCluster: false,
      referrerPolicy: 'no-referrer',
      xFrameOptions: false,
      xXssProtection: false,
    }),
  )
  routes.use(async (c, next) => {
    await next()
    const forever = c.req.path.startsWith('/assets/') && c.res.ok
    c.res.headers.set('Cache-Control', forever ? 'public, max-age=31536000, immutable' : 'no-cache')
  })
  routes.use(
    serveStatic({
      root,
      precompressed: true,
      rewriteRequestPath: path => (path === '/' ? '/index.html' : path),
    }),
  )
  routes.get('*', async c => {
    const html = await readFile(join(root, 'index.html'), 'utf8')
    return c.html(html, PAGES.test(c.req.path) ? 200 : 404)
  })
}

function inlineScripts(): string[] {
  const page = join(root, 'index.html')
  if (!existsSync(page)) return []
  const scripts = readFileSync(page, 'utf8').matchAll(/<script>(.*?)<\/script>/gs)
  return [...scripts].map(([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`)
}
