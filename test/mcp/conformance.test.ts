// The conformance suite of the Model Context Protocol, with what each revision requires of a server. The suite sends no key,
// so a relay adds it.
import { execFile } from 'node:child_process'
import { createServer, request } from 'node:http'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { freePort, listenOn } from '../support/ports.ts'
import { runWithOwner } from '../support/running.ts'

const port = await freePort()
let key = ''
const url = await startRelay()
const { ann } = await runWithOwner({ PORT: String(port), PUBLIC_URL: url })
key = ann.api_key

const SUITE = 'node_modules/@modelcontextprotocol/conformance/dist/index.js'
const run = promisify(execFile)

test.each(['2025-11-25', '2026-07-28'])('the server does what %s requires', async revision => {
  const failures = `test/mcp/expected-failures-${revision}.yaml`
  const { stdout } = await run(process.execPath, [
    ...['--import', './test/mcp/node-20.mjs', SUITE, 'server', '--url', `${url}/mcp`],
    ...['--requirements', revision, '--expected-failures', failures],
  ]).catch(({ stdout, stderr }: { stdout: string; stderr: string }) => {
    throw new Error(`${stderr}${stdout.slice(stdout.indexOf('=== SUMMARY'))}`)
  })
  expect(stdout).toContain('✓ tools-list')
})

async function startRelay(): Promise<string> {
  const server = createServer((near, response) => {
    const headers = { ...near.headers, ...(key && { authorization: `Bearer ${key}` }) }
    const far = request({ port, path: near.url, method: near.method, headers }, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    far.on('error', () => response.destroy())
    response.once('close', () => far.destroy())
    near.pipe(far)
  })
  afterAll(() => server.close())
  return `http://127.0.0.1:${await listenOn(server)}`
}
