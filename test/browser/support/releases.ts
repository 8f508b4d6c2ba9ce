// A server in a folder of its own whose web app is replaced by a newer build while it runs, as an upgrade does it.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { startServer } from '../../support/server.ts'

const project = fileURLToPath(new URL('../../..', import.meta.url))

export type Release = 'first' | 'second'

export type Upgradable = Awaited<ReturnType<typeof startUpgradable>>

/** Builds the web app again, which takes a while. */
export async function startUpgradable(env: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'channel-feed-releases-'))
  const app = join(folder, 'app')
  mkdirSync(app)
  cpSync(join(project, 'dist'), join(app, 'dist'), { recursive: true })
  cpSync(join(project, 'package.json'), join(app, 'package.json'))
  for (const name of ['node_modules', 'migrations']) symlinkSync(join(project, name), join(app, name))
  const builds = { first: join(project, 'dist/web'), second: join(folder, 'second') }
  await buildAgain(builds.second)
  const web = join(app, 'dist/web')
  release('first')
  const server = await startServer(env, join(app, 'dist/server/main.js'))

  /** Serves this version from now on. */
  function release(name: Release): void {
    rmSync(web, { recursive: true, force: true })
    cpSync(builds[name], web, { recursive: true })
  }

  /** Serves the page of the first version and the rest of the second, as in the middle of an upgrade. */
  function releaseHalf(): void {
    release('second')
    for (const end of ['', '.br', '.gz'])
      writeFileSync(join(web, `index.html${end}`), readFileSync(join(builds.first, `index.html${end}`)))
  }

  const { stop } = server
  return Object.assign(server, {
    release,
    releaseHalf,
    async stop() {
      const code = await stop()
      rmSync(folder, { recursive: true, force: true })
      return code
    },
  })
}

/** The same sources with a change in every page, so that the name of every script changes. */
function buildAgain(outDir: string): Promise<unknown> {
  return build({
    configFile: join(project, 'vite.config.ts'),
    logLevel: 'silent',
    build: { outDir },
    plugins: [
      {
        name: 'a-change',
        enforce: 'post',
        transform: (code, id) =>
          /\/web\/(router|pages\/.*|shell\/palette)\.tsx$/.test(id)
            ? `${code}\n;globalThis.release = 'second'`
            : null,
      },
    ],
  })
}
