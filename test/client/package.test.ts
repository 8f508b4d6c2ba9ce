// The package `channel-feed` in an empty folder: what it holds, and the first lines of docs/agents.md with it.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { importsOf, sourcesOf } from '../structure/imports.ts'
import { answerNext } from '../support/answering.ts'
import { createChannel } from '../support/channels.ts'
import { installClient, installedSize, readManifest } from '../support/client-package.ts'
import { blockIn, hasRequests, runCode } from '../support/page-blocks.ts'
import { runWithOwner } from '../support/running.ts'
import { COMPILER_MS, findingsOf, RESOLUTIONS } from '../support/typed-program.ts'

const SIZE_MAX = 25 * 1024 * 1024
const root = fileURLToPath(new URL('../../', import.meta.url))
const ranges = z.record(z.string(), z.string())
const project = z
  .object({ version: z.string(), dependencies: ranges, devDependencies: ranges })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))

const { service, ann } = await runWithOwner()
const folder = installClient()
const installed = join(folder, 'node_modules/channel-feed')

async function runLines(language: string, code: string, button_id: string) {
  const channel = await createChannel(ann, { mode: 'interactive' })
  const env = {
    CHANNEL_FEED_URL: service.url,
    CHANNEL_FEED_KEY: ann.api_key,
    CHANNEL_FEED_CHANNEL: channel,
  }
  const { done } = runCode(language, code, { folder, env })
  await answerNext(ann, channel, { button_id })
  return done
}

describe('the first lines', () => {
  const script = `${blockIn('agents.md', 'Five lines', 'ts')}
    function deploy(name) { console.log('deployed for', name) }`

  test.each([
    ['Deploy', 'deployed for Ann\n'],
    ['Not now', ''],
  ])('after %s, those of TypeScript print %j', async (button_id, output) => {
    expect(await runLines('js', script, button_id)).toEqual({ code: 0, output, errors: '' })
  })

  test('the package’s own page has them too', () => {
    const page = readFileSync(join(installed, 'README.md'), 'utf8')
    expect(page).toContain(blockIn('agents.md', 'Five lines', 'ts'))
  })

  const python = `def deploy(): print('deployed')\n${blockIn('agents.md', 'Five lines', 'python')}`
  test.runIf(hasRequests()).each([
    ['go', 'deployed\n'],
    ['no', ''],
  ])('after %s, those of Python print %j', async (button_id, output) => {
    expect(await runLines('python', python, button_id)).toEqual({ code: 0, output, errors: '' })
  })
})

test('the line of the shell deploys only for the first choice', async () => {
  const line = blockIn('agents.md', 'Five lines', 'sh').replace('./deploy', 'echo deployed')
  expect(await runLines('sh', line, 'Deploy')).toMatchObject({ code: 0, output: 'Deploy\ndeployed\n' })
  expect(await runLines('sh', line, 'Not now')).toMatchObject({ code: 1, output: 'Not now\n' })
})

test('a host of the Model Context Protocol starts the command and asks', async () => {
  const channel = await createChannel(ann, { mode: 'interactive' })
  const host = new Client({ name: 'host', version: '1.0.0' })
  onTestFinished(() => host.close())
  const { PATH = '' } = process.env
  const env = { PATH, CHANNEL_FEED_URL: service.url, CHANNEL_FEED_KEY: ann.api_key }
  const args = ['-y', 'channel-feed', 'mcp']
  await host.connect(new StdioClientTransport({ command: 'npx', args, cwd: folder, env }))
  const question = { question: 'Deploy v42?', key: 'v42', choices: ['Deploy', 'Not now'], channel }
  const result = host.callTool({ name: 'ask_human', arguments: question })
  await answerNext(ann, channel, { button_id: 'Deploy' })
  expect((await result).structuredContent).toMatchObject({ status: 'decided', approved: true })
})

describe('the installed package', () => {
  const { dependencies, ...content } = readManifest(installed)

  test('it has the name and the version of the project, and its command runs', () => {
    expect(content).toMatchObject({ name: 'channel-feed', version: project.version })
    const command = join(folder, 'node_modules/.bin/channel-feed')
    expect(execFileSync(process.execPath, [command, '--version'], { encoding: 'utf8' }).trim()).toBe(
      project.version,
    )
  })

  test('every entry loads in Node', async () => {
    const entries = Object.keys(content.exports ?? {}).filter(entry => !entry.endsWith('.json'))
    expect(entries).toEqual(['.', './verify', './webhook', './mcp'])
    const code = entries.map(entry => `await import('channel-feed${entry.slice(1)}')`).join('\n')
    const { done } = runCode('js', code, { folder, env: {} })
    expect(await done).toEqual({ code: 0, output: '', errors: '' })
  })

  test('its dependencies are what the client imports, in the ranges of the project', () => {
    const known = { ...project.devDependencies, ...project.dependencies }
    const used = sourcesOf('client')
      .filter(path => !path.startsWith('client/build/'))
      .flatMap(importsOf)
      .filter(({ inside, to }) => !inside && !to.startsWith('node:'))
      .map(({ to }) => /^(@[^/]+\/)?[^/]+/.exec(to)?.[0] ?? to)
    for (const name of used) expect(Object.keys(dependencies)).toContain(name)
    expect(dependencies).toEqual(
      Object.fromEntries(Object.keys(dependencies).map(name => [name, known[name]])),
    )
    expect(Object.keys(dependencies)).not.toContain('yjs')
  })

  test('it takes less than 25 MB with all that it needs', () => {
    expect(installedSize(folder)).toBeLessThan(SIZE_MAX)
  })

  test.each(RESOLUTIONS)(
    'its types compile with the module resolution %s',
    { timeout: COMPILER_MS },
    resolution => {
      expect(findingsOf(join(root, 'node_modules/typescript/bin/tsc'), folder, resolution)).toBe('')
    },
  )
})
