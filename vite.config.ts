// Builds the web app (root web/, output dist/web) and names the test projects.
import { fileURLToPath } from 'node:url'
import solid from 'vite-plugin-solid'
import { defineConfig } from 'vitest/config'
import { oldestBrowsers } from './web/build/browsers.ts'
import { compressPlugin } from './web/build/compress-plugin.ts'
import { emojiPlugin } from './web/build/emoji-plugin.ts'
import { fontsPlugin } from './web/build/fonts-plugin.ts'
import { precachePlugin } from './web/build/precache-plugin.ts'
import { startPlugin } from './web/build/start-plugin.ts'

const server = process.env.DEV_SERVER ?? 'http://127.0.0.1:3000'
const root = fileURLToPath(new URL('.', import.meta.url))

/** Tests that share one PostgreSQL, each with a database of its own. */
const withDatabase = { environment: 'node', globalSetup: ['test/support/global-setup.ts'] }
/** These run together: they wait for PostgreSQL and sockets more than they compute. */
const waiting = { maxWorkers: 4, sequence: { groupOrder: 1 } }
const common = {
  // For a busy machine: generous, and no test waits for it.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 30_000 } },
  // CI's report has only the message of a failure, so it must be complete.
  chaiConfig: { truncateThreshold: 0 },
}

/** Rules for every browser. They have limits in seconds. */
const inBrowsers = {
  environment: 'node',
  globalSetup: ['test/browser/support/global-setup.ts'],
  setupFiles: ['test/browser/support/setup.ts'],
  isolate: false,
  ...common,
  testTimeout: 180_000,
}

export default defineConfig({
  root: 'web',
  cacheDir: '../node_modules/.vite',
  plugins: [solid(), startPlugin(), emojiPlugin(), fontsPlugin(), precachePlugin(), compressPlugin()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // Scripts and styles. test/structure/browsers.test.ts checks what a build can't change.
    target: oldestBrowsers().map(({ name, version }) => `${name}${version}`),
    // What it is for, every browser of these does itself, or does without.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: 'web/index.html', sw: 'web/sw.ts' },
      output: {
        entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
        // One file with everything that the first script imports: many files load slowly on a slow network.
        codeSplitting: { groups: [{ name: 'app', test: /\/web\/main\.tsx$/ }] },
      },
    },
  },
  server: {
    // The Host stays as it was: the server takes cookies from its own pages only.
    proxy: {
      '/api': { target: server },
      '/sync': { target: server, ws: true },
      '/live': { target: server, ws: true },
    },
  },
  test: {
    environment: 'node',
    projects: [
      {
        root,
        // Solid's browser build: its server build has no stores that change.
        ssr: { resolve: { conditions: ['browser', 'development', 'module'] } },
        test: {
          name: 'unit',
          include: ['test/{shared,web,structure,live-workspace}/**/*.test.ts'],
          environment: 'node',
          isolate: false,
          server: { deps: { inline: [/solid-js/] } },
          ...waiting,
          ...common,
        },
      },
      {
        root,
        test: {
          name: 'service',
          include: [
            'test/{database,auth,feed,api,sync,webhooks,client,deploy,hooks,mcp,action,runtimes}/**/*.test.ts',
          ],
          setupFiles: ['test/support/coded-errors.ts'],
          // Each file starts services of its own: only the modules are shared, which take long to load.
          isolate: false,
          ...withDatabase,
          ...waiting,
          ...common,
        },
      },
      {
        root,
        test: {
          // Needs a redis-server on the PATH: `npm test` leaves it out.
          name: 'redis',
          include: ['test/redis/**/*.test.ts'],
          ...withDatabase,
          ...waiting,
          ...common,
        },
      },
      {
        root,
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          ...withDatabase,
          ...waiting,
          ...common,
          testTimeout: 120_000,
        },
      },
      {
        root,
        test: {
          // Runs of the built service under faults: `npm run build:server` first.
          name: 'proof',
          include: ['test/proof/**/*.test.ts'],
          environment: 'node',
          // Last, and one at a time: the promises have limits in seconds, so a run needs the machine for itself.
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
          ...common,
          testTimeout: 180_000,
        },
      },
      {
        root,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          environment: 'node',
          globalSetup: ['test/browser/support/global-setup.ts'],
          setupFiles: ['test/browser/support/setup.ts'],
          // Each file starts a server and a browser of its own: only the modules are shared.
          isolate: false,
          // A browser computes: more of them at once take longer.
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
          ...common,
        },
      },
      {
        root,
        test: {
          // The same rules in Chromium, and in Firefox if the system has it (docs/browsers.md).
          name: 'engines',
          include: ['test/engines/{chromium,firefox}.test.ts'],
          ...inBrowsers,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        root,
        test: {
          // And in WebKit, alone: on a busy machine WebKitGTK draws nothing for long.
          name: 'engines-webkit',
          include: ['test/engines/webkit.test.ts'],
          ...inBrowsers,
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})
