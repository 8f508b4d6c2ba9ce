// The exit codes that scripts rely on. Those of questions are in ask.test.ts, and `verify` has its own.
import { createServer } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createTestKey } from '../../support/account.ts'
import { cliEnv, runCli } from '../../support/cli.ts'
import { buildCliScene } from '../../support/cli-scene.ts'
import { listenOn } from '../../support/ports.ts'

const { service, ann, channel, env, run, readCard } = await buildCliScene()
const PUSH = ['push', '--text', 'Hello']

/** Answers every request with this status. Returns the variables that point to it. */
async function brokenService(status: number, headers: Record<string, string> = {}) {
  const server = createServer((_, response) => response.writeHead(status, headers).end('{"error":"Not now"}'))
  const port = await listenOn(server)
  onTestFinished(() => void server.close())
  return env({ CHANNEL_FEED_URL: `http://127.0.0.1:${port}/behind-a-proxy` })
}

test('a command that is done ends with 0', async () => {
  const { code, stdout } = await run(PUSH)
  expect(code).toBe(0)
  expect(await readCard(stdout.trim())).toMatchObject({ blocks: [{ type: 'text', content: 'Hello' }] })
})

describe('wrong usage', () => {
  const cases: [string, string[], string][] = [
    ['an unknown command', ['pusch'], "unknown command 'pusch'"],
    ['an unknown flag', ['push', '--tex', 'Hello'], "unknown option '--tex'"],
    ['a missing argument', ['ask'], "missing required argument 'question'"],
    ['an argument too many', ['cancel', 'a/b', 'c'], 'too many arguments'],
    ['a flag without a value', ['push', '--text'], "option '--text <text>' argument missing"],
    [
      'an unknown status',
      [...PUSH, '--status', 'fine'],
      "option '--status <status>' argument 'fine' is invalid",
    ],
    ['a time without a unit that exists', ['ask', 'Ready?', '--expires', '1y'], "option '--expires <time>'"],
    ['a timeout that no timer can run', ['wait', 'a/b', '--timeout', '25d'], 'It must be at most 24d.'],
    ['a field without a label', ['ask', 'Ready?', '--field', 'version'], 'Write id:Label or id:Label:type.'],
    [
      'a field of an unknown type',
      ['ask', 'Ready?', '--field', 'a:A:color'],
      'The type must be one of text,',
    ],
    [
      'people who are neither a group nor addresses',
      ['ask', 'Ready?', '--who', 'ann'],
      "option '--who <people>'",
    ],
    ['a row without a value', ['push', '--kv', 'size'], '--kv needs name=value, not "size"'],
    [
      'a change without a block',
      ['patch', 'key:a', '--set', 'content=x'],
      '--set needs --block ID before it',
    ],
    ['a change of nothing', ['patch', 'key:a'], 'Nothing to change.'],
    ['a file that is not there', ['push', 'no-such-file.json'], "Can't read no-such-file.json"],
    ['an address of another kind', [...PUSH, '--url', 'ftp://example.com'], '--url must be an address'],
    ['an unknown profile', [...PUSH, '--profile', 'work'], '--profile: no login named "work"'],
    ['a limit that is none', ['list', 'cards', '--limit', '0'], 'Write a number from 1 to 200.'],
  ]
  test.each(cases)('%s ends with 2, and the message names it', async (_, args, message) => {
    const { code, stdout, stderr } = await run(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
  })

  test('no command at all ends with 2, with the help on stderr', async () => {
    const { code, stdout, stderr } = await run([])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^Examples:\n/)
  })

  test('a command without a channel ends with 2, and says where to give one', async () => {
    const { code, stderr } = await runCli(PUSH, { env: env({ CHANNEL_FEED_CHANNEL: '' }) })
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'channel-feed: No channel. Give --channel, set CHANNEL_FEED_CHANNEL, or choose one with: channel-feed login\n',
    })
  })
})

describe('permission', () => {
  test('no key, a wrong key and a key that may only read end with 4', async () => {
    const { key } = await createTestKey(ann.session, { scope: 'read' })
    const [none, wrong, reader] = await Promise.all(
      ['', 'cf_wrong', key].map(key => runCli(PUSH, { env: env({ CHANNEL_FEED_KEY: key }) })),
    )
    expect([none?.code, wrong?.code, reader?.code]).toEqual([4, 4, 4])
    expect(none?.stderr).toContain(`Run: channel-feed login --url ${service.url}\n`)
    expect(wrong?.stderr).toBe(
      'channel-feed: The service refused the key: Unauthorized. Run: channel-feed login\n',
    )
    expect(reader?.stderr).toBe(
      'channel-feed: Access denied: check the scope and the workspace of the key.\n',
    )
  })
})

test('a request that the service refuses ends with 5, and the message is the service’s own', async () => {
  const bad = await run(['push'], '[{"type": "video"}]')
  expect(bad.code).toBe(5)
  expect(bad.stderr).toContain('blocks[0].type must be one of')
  const gone = await run(['patch', channel, '--status', 'error'])
  expect(gone).toMatchObject({ code: 5, stderr: 'channel-feed: Card not found\n' })
})

test('a limit that lasts ends with 6, and the message says when it is over', async () => {
  const { code, stderr } = await runCli(PUSH, { env: await brokenService(429, { 'Retry-After': '3600' }) })
  expect({ code, stderr }).toEqual({ code: 6, stderr: 'channel-feed: Not now. Try again in 3600 s.\n' })
})

test('a service that is down or broken ends with 7', async () => {
  const down = await runCli(PUSH, { env: env({ CHANNEL_FEED_URL: 'http://127.0.0.1:1' }) })
  expect(down).toMatchObject({ code: 7, stdout: '' })
  expect(down.stderr).toBe("channel-feed: Can't reach http://127.0.0.1:1. Check --url and the network.\n")
  expect((await runCli(PUSH, { env: await brokenService(500) })).code).toBe(7)
  expect((await runCli(PUSH, { env: await brokenService(503) })).code).toBe(7)
})

test('help and the version end with 0', async () => {
  const help = await runCli(['--help'], { env: cliEnv() })
  expect(help).toMatchObject({ code: 0, stderr: '' })
  expect(help.stdout).toMatch(/^Examples:\n/)
  const version = await runCli(['--version'], { env: cliEnv() })
  expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})
