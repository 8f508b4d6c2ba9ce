// `hook`: a pipe from a coding agent to the service, which always ends with 0.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { cliEnv, hasTerminal, runCli, startCli, startOnTerminal } from '../../support/cli.ts'
import { listenOn } from '../../support/ports.ts'

const DENY = '{"decision":"deny","reason":"Nobody allowed this in time. Do not retry without asking."}\n'
const HOSTS = [
  ['claude', '/hooks/claude-code', ''],
  ['codex', '/hooks/codex', ''],
  ['gemini', '/hooks/gemini-cli', DENY],
] as const
const REQUEST = '{"hook_event_name": "PermissionRequest", "tool_input": {"id": 9007199254740993}}'

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown

/** A service that answers hooks like this. */
async function serve(answer: Answer) {
  const server = createServer(answer)
  const port = await listenOn(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return cliEnv({ CHANNEL_FEED_URL: `http://127.0.0.1:${port}`, CHANNEL_FEED_KEY: 'cf_key' })
}

/** As the service begins: at once, and with a line that keeps the connection. */
const begin = (response: ServerResponse) =>
  response.writeHead(200, { 'Content-Type': 'application/json' }).write('\n')

describe('an answer', () => {
  test.each(HOSTS)('%s sends its JSON as it is, and gets the object in one line', async (host, path) => {
    const requests: unknown[] = []
    const env = await serve(async (request, response) => {
      const { method, url, headers } = request
      const { authorization, 'content-type': type } = headers
      requests.push({ method, url, authorization, type, body: await text(request) })
      begin(response)
      response.end('\n\n{"decision":\n  {"behavior": "allow", "id": 9007199254740993}}\n')
    })
    const flags = ['--channel', 'c 1', '--wait', '40', '--who', 'me', '--remember', 'on']
    const { code, stdout, stderr } = await runCli(['hook', host, ...flags], { env, input: REQUEST })
    expect({ code, stdout, stderr }).toEqual({
      ...{ code: 0, stderr: '' },
      stdout: '{"decision":   {"behavior": "allow", "id": 9007199254740993}}\n',
    })
    expect(requests).toEqual([
      {
        ...{ method: 'POST', url: `${path}?channel=c+1&wait=40&who=me&remember=on` },
        ...{ authorization: 'Bearer cf_key', type: 'application/json', body: REQUEST },
      },
    ])
  })

  test.each(HOSTS)('an empty object means no decision, and %s prints nothing', async host => {
    const env = await serve((_, response) => {
      begin(response)
      response.end('{}')
    })
    const { code, stdout, stderr } = await runCli(['hook', host], { env, input: REQUEST })
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '' })
  })
})

describe('a failure', () => {
  const failures: [string, Answer, string][] = [
    [
      'a refusal',
      (_, response) => response.writeHead(403).end('{"error": "Hooks need a workspace that is not public"}'),
      'Hooks need a workspace that is not public',
    ],
    [
      'an error of the service',
      (_, response) => response.writeHead(500).end('oh no'),
      'The server returned 500',
    ],
    ['a service that is away', (_, response) => response.writeHead(503).end(), 'can’t be reached'],
    ['a success that is none of the service', (_, response) => response.writeHead(201).end('{"a":1}'), '201'],
    ['a page instead of an answer', (_, response) => response.end('<html>'), 'The connection broke'],
    [
      'a list instead of an answer',
      (_, response) => response.end('[{"decision":"allow"}]'),
      'The connection broke',
    ],
    [
      'a connection that ends early',
      (_, response) => begin(response) && response.end(),
      'The connection broke',
    ],
    [
      'a connection that breaks within the answer',
      (_, response) => {
        begin(response)
        response.write('{"decision":"allow"}', () => response.destroy())
      },
      'The connection broke',
    ],
    ['a connection without a response', request => request.destroy(), "Can't reach http://127.0.0.1:"],
  ]
  test.each(failures)('%s is one line on stderr, and only Gemini is denied', async (_, answer, message) => {
    const env = await serve(answer)
    for (const [host, , stdout] of HOSTS) {
      const end = await runCli(['hook', host], { env, input: REQUEST })
      expect(end).toMatchObject({ code: 0, stdout })
      expect(end.stderr).toMatch(/^channel-feed: .+\n$/)
      expect(end.stderr).toContain(message)
    }
  })

  const unsent: [string, string[], Record<string, string>, string, string][] = [
    ['a feed that is down', [], { CHANNEL_FEED_URL: 'http://127.0.0.1:1' }, REQUEST, "Can't reach"],
    ['no key', [], { CHANNEL_FEED_KEY: '' }, REQUEST, 'No key for'],
    ['an unknown flag', ['--bogus'], {}, REQUEST, "unknown option '--bogus'"],
    ['an argument too many', ['again'], {}, REQUEST, 'too many arguments'],
    ['an unknown value', ['--remember', 'maybe'], {}, REQUEST, '--remember'],
    ['an unknown profile', ['--profile', 'work'], {}, REQUEST, 'no login named "work"'],
    ['a request of more than 256 KiB', [], {}, ' '.repeat(256 * 1024 + 1), 'larger than 256 KiB'],
  ]
  test.each(unsent)(
    '%s is one line on stderr, nothing is sent, and only Gemini is denied',
    async (...given) => {
      const [, flags, variables, input, message] = given
      const paths: unknown[] = []
      const env = await serve((request, response) => {
        paths.push(request.url)
        response.end('{"decision":"allow"}')
      })
      for (const [host, , stdout] of HOSTS) {
        const end = await runCli(['hook', host, ...flags], { env: { ...env, ...variables }, input })
        expect(end).toMatchObject({ code: 0, stdout })
        expect(end.stderr).toMatch(/^channel-feed: .+\n$/)
        expect(end.stderr).toContain(message)
      }
      expect(paths).toEqual([])
    },
  )

  test('an unknown or missing host ends with 0, too', async () => {
    for (const args of [['hook'], ['hook', 'cursor']]) {
      const end = await runCli(args, { env: cliEnv(), input: REQUEST })
      expect(end).toMatchObject({ code: 0, stdout: '' })
      expect(end.stderr).toMatch(/^channel-feed: .+\n$/)
    }
  })

  test('a request of exactly 256 KiB is sent', async () => {
    const sizes: number[] = []
    const env = await serve(async (request, response) => {
      sizes.push((await text(request)).length)
      response.end('{}')
    })
    const input = ' '.repeat(256 * 1024)
    expect(await runCli(['hook', 'claude'], { env, input })).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '',
    })
    expect(sizes).toEqual([256 * 1024])
  })

  test('a service that never answers is given up 5 s after the wait', async () => {
    const env = await serve((_, response) => begin(response))
    const end = await runCli(['hook', 'gemini', '--wait', '-4'], { env, input: REQUEST })
    expect(end).toEqual({ code: 0, stdout: DENY, stderr: 'channel-feed: No answer after 1 s\n' })
  })

  test.runIf(hasTerminal)('a hook that a person starts by hand says that it needs input', async () => {
    const { code, stdout } = await startOnTerminal(['hook', 'claude'], cliEnv({ CHANNEL_FEED_KEY: 'cf_key' }))
      .ended
    expect(code).toBe(0)
    expect(stdout).toContain('hook reads the JSON of a coding agent on stdin')
  })
})

describe('a signal', () => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    test.each(HOSTS)(`${signal} closes the connection, and %s ends with 0`, async (host, _, stdout) => {
      const responses: ServerResponse[] = []
      const env = await serve((_, response) => {
        begin(response)
        responses.push(response)
      })
      const cli = startCli(['hook', host], { env, input: REQUEST })
      await expect.poll(() => responses.length).toBe(1)
      cli.child.kill(signal)
      const { code, stderr, ...end } = await cli.ended
      expect({ code, stdout: end.stdout }).toEqual({ code: 0, stdout })
      expect(stderr).toBe(`channel-feed: Stopped by ${signal}\n`)
      await expect.poll(() => responses[0]?.closed).toBe(true)
    })
})
