// The installed command in bash, as scripts use it.
import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createTestKey } from '../../support/account.ts'
import { handleOf, runShell, startShell } from '../../support/cli.ts'
import { buildCliScene } from '../../support/cli-scene.ts'
import { installClient } from '../../support/client-package.ts'
import { listenOn } from '../../support/ports.ts'

const { service, ann, channel, env, press, readQuestion } = await buildCliScene()
const folder = installClient()
const QUESTION = "channel-feed ask 'Deploy v42?' --choice Deploy --choice 'Not now'"

/** A shell in a folder of its own that finds the installed command. */
function shell(more: Record<string, string> = {}) {
  const variables: Record<string, string> = env(more)
  const path = [join(folder, 'node_modules/.bin'), join(process.execPath, '..'), variables.PATH].join(':')
  variables.PATH = path
  return { env: variables, cwd: mkdtempSync(join(variables.HOME ?? '', 'run-')) }
}

describe('ask && touch deployed', () => {
  async function deployed(
    end: (handle: string, interrupt: () => void) => unknown,
    flags = '',
  ): Promise<boolean> {
    const { cwd, ...rest } = shell()
    const run = startShell(`${QUESTION} ${flags} && touch deployed`, { cwd, ...rest })
    await end(await handleOf(run), () => process.kill(-(run.child.pid ?? 0), 'SIGINT'))
    await run.ended
    return existsSync(join(cwd, 'deployed'))
  }

  test('the first choice makes the file', async () => {
    expect(await deployed(handle => press(handle, 'Deploy'))).toBe(true)
  })

  test('the other choice makes no file', async () => {
    expect(await deployed(handle => press(handle, 'Not now'))).toBe(false)
  })

  test('a deadline, a closed question, a deleted card, a timeout and Ctrl-C make no file', async () => {
    expect(await deployed(() => {}, '--expires 1s')).toBe(false)
    expect(await deployed(() => {}, '--timeout 1s')).toBe(false)
    expect(await deployed(() => {}, '--no-wait')).toBe(false)
    const path = (handle: string) => `/channels/${handle.replace('/', '/decisions/')}`
    expect(await deployed(handle => ann.key('DELETE', path(handle)))).toBe(false)
    const removeCard = async (handle: string) =>
      ann.key('DELETE', `/channels/${channel}/cards/${(await readQuestion(handle)).card_id}`)
    expect(await deployed(removeCard)).toBe(false)
    expect(await deployed((_, interrupt) => interrupt())).toBe(false)
  })
})

test('every exit code reaches the shell', async () => {
  const limited = createServer((_, response) => response.writeHead(429, { 'Retry-After': '3600' }).end())
  const port = await listenOn(limited)
  onTestFinished(() => void limited.close())
  const { key } = await createTestKey(ann.session, { name: 'other' })
  const lines = [
    'code() { "$@" >/dev/null 2>&1; echo $?; }',
    'code channel-feed push --text Hello',
    `asked() { ${QUESTION} --agents --no-wait 2>/dev/null; }`,
    'handle=$(asked); CHANNEL_FEED_KEY=$OTHER channel-feed decide $handle "Not now" >/dev/null 2>&1',
    'code channel-feed wait $handle',
    'code channel-feed push --bogus',
    `code ${QUESTION} --expires 1s`,
    'CHANNEL_FEED_KEY=cf_wrong code channel-feed list workspaces',
    'code channel-feed delete key:none',
    'CHANNEL_FEED_URL=$LIMITED code channel-feed push --text Hello',
    'CHANNEL_FEED_URL=http://127.0.0.1:1 code channel-feed push --text Hello',
    'code asked',
    'handle=$(asked); channel-feed cancel $handle 2>/dev/null; code channel-feed wait $handle',
    'code timeout --preserve-status -s INT 2 channel-feed tail',
  ]
  const run = await runShell(
    lines.join('\n'),
    shell({ OTHER: key, LIMITED: `http://127.0.0.1:${port}/limited` }),
  )
  expect(run.stderr).toBe('')
  expect(run.stdout.trim().split('\n').map(Number)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 130])
})

test('Ctrl-C, then wait: the printed line continues the question', async () => {
  const first = startShell(QUESTION, shell())
  const handle = await handleOf(first)
  process.kill(-(first.child.pid ?? 0), 'SIGINT')
  await first.ended
  const [line = ''] = /^channel-feed wait .+$/m.exec(first.stderr()) ?? []
  const second = startShell(`${line} && echo deployed`, shell())
  await press(handle, 'Deploy')
  expect(await second.ended).toMatchObject({ code: 0, stdout: 'Deploy\ndeployed\n' })
})

test('a stored login serves files and pipes: data alone, without colors, and never the key', async () => {
  const place = shell({ CHANNEL_FEED_KEY: '', CHANNEL_FEED_CHANNEL: '' })
  writeFileSync(join(place.cwd, 'key.txt'), ann.api_key)
  const lines = [
    'channel-feed login --key-stdin < key.txt > login.txt',
    'echo "All green" | channel-feed push --key build > id.txt',
    'channel-feed list cards > cards.txt',
    "channel-feed list cards --json | node -pe 'JSON.parse(fs.readFileSync(0)).length > 0' > json.txt",
    'channel-feed push --bogus 2> error.txt',
    'channel-feed tail & tr "\\0" " " < /proc/$!/cmdline > ps.txt; kill $!',
  ]
  const run = await runShell(lines.join('\n'), place)
  const read = (name: string) => readFileSync(join(place.cwd, name), 'utf8')
  expect(read('login.txt')).toBe('')
  expect(read('cards.txt')).toContain(`${read('id.txt').trim()}\tdefault\t`)
  expect(read('json.txt')).toBe('true\n')
  const files = ['id.txt', 'cards.txt', 'error.txt', 'ps.txt'].map(read)
  expect(files.filter(text => text.includes('\u001b'))).toEqual([])
  expect([...files, run.stdout, run.stderr].filter(text => text.includes(ann.api_key))).toEqual([])
  const config = join(place.env.XDG_CONFIG_HOME ?? '', 'channel-feed/config.json')
  expect(statSync(config).mode & 0o777).toBe(0o600)
  expect(run.stderr).toContain(`Logged in to ${service.url}`)
})
