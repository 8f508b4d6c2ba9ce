// `login` and `logout`: the key is typed unseen or piped in, checked, stored for its owner alone, and never printed.
import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createAccount } from '../../support/account.ts'
import { createChannel } from '../../support/channels.ts'
import { cliEnv, hasTerminal, type RunningCli, runCli, startCli, startOnTerminal } from '../../support/cli.ts'
import { buildCliScene } from '../../support/cli-scene.ts'
import { listenOn } from '../../support/ports.ts'

const { service, ann, channel } = await buildCliScene()
const PUSH = ['push', '--text', 'Hello']

const configOf = (env: Record<string, string>) =>
  join(env.XDG_CONFIG_HOME ?? '', 'channel-feed', 'config.json')
const modeOf = async (path: string) => (await stat(path)).mode & 0o777

/** Logs in with the owner's key on stdin. */
const logIn = (env: Record<string, string>, ...flags: string[]) =>
  runCli(['login', '--url', service.url, '--key-stdin', ...flags], { env, input: `${ann.api_key}\n` })

describe('login with a key on stdin', () => {
  test('the address, key and only channel are stored, and later commands need no flags', async () => {
    const env = cliEnv()
    const { code, stdout, stderr } = await logIn(env)
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toBe(`Logged in to ${service.url}\nDefault channel: Deployments (${channel})\n`)
    const pushed = await runCli(PUSH, { env })
    expect(pushed.code).toBe(0)
    const card = await ann.key('GET', `/channels/${channel}/cards/${pushed.stdout.trim()}`)
    expect(card.status).toBe(200)
  })

  test('only the owner of the file can read it, and a file that others can read is narrowed', async () => {
    const env = cliEnv()
    await logIn(env)
    const path = configOf(env)
    expect(await modeOf(path)).toBe(0o600)
    expect(await modeOf(join(path, '..'))).toBe(0o700)
    await chmod(path, 0o644)
    const { code, stderr } = await runCli(PUSH, { env })
    expect(code).toBe(0)
    expect(stderr).toContain(`Others could read ${path}`)
    expect(await modeOf(path)).toBe(0o600)
    expect((await runCli(PUSH, { env })).stderr).toBe('')
  })

  test('a wrong key ends with 4, and nothing is stored', async () => {
    const env = cliEnv()
    const wrong = await runCli(['login', '--url', service.url, '--key-stdin'], { env, input: 'cf_wrong' })
    expect(wrong).toMatchObject({ code: 4, stdout: '' })
    await expect(stat(configOf(env))).rejects.toThrow('ENOENT')
    const empty = await runCli(['login', '--url', service.url, '--key-stdin'], { env, input: '\n' })
    expect(empty.code).toBe(2)
  })

  test('profiles are kept apart, and logout removes one', async () => {
    const env = cliEnv()
    await logIn(env)
    const bob = await createAccount(service)
    const login = ['login', '--profile', 'bob', '--url', service.url, '--key-stdin']
    expect((await runCli(login, { env, input: bob.api_key })).stderr).toContain('No default channel')
    const list = ['list', 'workspaces', '--json']
    const own = JSON.parse((await runCli(list, { env })).stdout)
    const bobs = JSON.parse((await runCli([...list, '--profile', 'bob'], { env })).stdout)
    expect([own[0].id, bobs[0].id]).toEqual([ann.workspace_id, bob.workspace_id])

    expect((await runCli(['logout'], { env })).stderr).toContain('Logged out of "default"')
    expect((await runCli(list, { env })).code).toBe(4)
    expect((await runCli(list, { env: { ...env, CHANNEL_FEED_PROFILE: 'bob' } })).code).toBe(0)
    await runCli(['logout', '--profile', 'bob'], { env })
    await expect(stat(configOf(env))).rejects.toThrow('ENOENT')
  })

  test('--channel must be a channel that the key reaches', async () => {
    const second = await createChannel(ann, { name: 'Builds' })
    onTestFinished(async () => void (await ann.key('DELETE', `/channels/${second}`)))
    expect((await logIn(cliEnv())).stderr).toContain('No default channel')
    expect((await logIn(cliEnv(), '--channel', second)).stderr).toContain(
      `Default channel: Builds (${second})`,
    )
    const unknown = await logIn(cliEnv(), '--channel', ann.workspace_id)
    expect(unknown.code).toBe(2)
    expect(unknown.stderr).toContain(`--channel: this key can't reach the channel ${ann.workspace_id}`)
  })
})

describe('settings', () => {
  test('a flag wins over the environment, and the environment over the file', async () => {
    const env = cliEnv()
    await logIn(env)
    const nowhere = { ...env, CHANNEL_FEED_URL: 'http://127.0.0.1:1', CHANNEL_FEED_KEY: ann.api_key }
    const inEnvironment = await runCli(PUSH, { env: { ...nowhere, CHANNEL_FEED_CHANNEL: channel } })
    expect(inEnvironment.code).toBe(7)
    const args = [...PUSH, '--url', `${service.url}/`, '--channel', channel]
    expect((await runCli(args, { env: { ...nowhere, CHANNEL_FEED_CHANNEL: 'other' } })).code).toBe(0)
  })

  test('a stored key is not sent to another address', async () => {
    const env = cliEnv()
    await logIn(env)
    const seen: unknown[] = []
    const server = createServer((request, response) => {
      seen.push(request.headers)
      response.end()
    })
    const port = await listenOn(server)
    onTestFinished(() => void server.close())
    const other = `http://127.0.0.1:${port}`
    const { code, stderr } = await runCli([...PUSH, '--url', other, '--channel', channel], { env })
    expect({ code, seen }).toEqual({ code: 4, seen: [] })
    expect(stderr).toContain(`No key for ${other}. Run: channel-feed login --url ${other}\n`)
  })

  test('a damaged file is named, and is not overwritten', async () => {
    const env = cliEnv()
    await logIn(env)
    await writeFile(configOf(env), '{"profiles": ')
    const { code, stderr } = await logIn(env)
    expect(code).toBe(2)
    expect(stderr).toContain(`${configOf(env)} is damaged. Delete it, then run: channel-feed login`)
    expect(await readFile(configOf(env), 'utf8')).toBe('{"profiles": ')
  })
})

test('the key is neither in the output nor in the arguments of any process', async () => {
  const env = cliEnv()
  const cli = startCli(['login', '--url', service.url, '--key-stdin', '--json'], { env, input: ann.api_key })
  const args = await readFile(`/proc/${cli.child.pid}/cmdline`, 'utf8').catch(() => '')
  const outputs = [args, JSON.stringify(await cli.ended)]
  for (const command of [['list', 'channels', '--json'], PUSH, ['push', '--bogus'], ['logout', '--json']])
    outputs.push(JSON.stringify(await runCli(command, { env })))
  const bad = cliEnv({ CHANNEL_FEED_URL: service.url, CHANNEL_FEED_KEY: `${ann.api_key}\u00fc` })
  outputs.push(JSON.stringify(await runCli([...PUSH, '--channel', channel], { env: bad })))
  expect(outputs.at(-1)).toContain("CHANNEL_FEED_KEY isn't an API key")
  expect(outputs.filter(output => output.includes(ann.api_key))).toEqual([])
})

test('without a terminal nothing is asked, and the message says how to pipe the key in', async () => {
  const { code, stdout, stderr } = await runCli(['login'], { env: cliEnv() })
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain('channel-feed login --key-stdin')
})

describe.runIf(hasTerminal)('login on a terminal', () => {
  async function type(cli: RunningCli, after: string, text: string): Promise<void> {
    await expect.poll(cli.stdout).toContain(after)
    cli.child.stdin.write(text)
  }

  test('the address and the key are asked, and the key does not appear', async () => {
    const env = cliEnv()
    const cli = startOnTerminal(['login'], env)
    await type(cli, 'Address of the service [http://localhost:3000]: ', `${service.url}\r`)
    await type(cli, 'API key: ', `${ann.api_key}\r`)
    const { code, stdout } = await cli.ended
    expect({ code, shown: stdout.includes(ann.api_key) }).toEqual({ code: 0, shown: false })
    expect(stdout).toContain(`Default channel: Deployments (${channel})`)
    expect((await runCli(PUSH, { env })).code).toBe(0)
  })

  test('several channels are offered by number', async () => {
    const second = await createChannel(ann, { name: 'Builds' })
    onTestFinished(async () => void (await ann.key('DELETE', `/channels/${second}`)))
    const env = cliEnv({ CHANNEL_FEED_URL: service.url })
    const cli = startOnTerminal(['login'], env)
    await type(cli, 'API key: ', `${ann.api_key}\r`)
    await type(cli, 'Default channel, 1 to 2, or empty for none: ', '9\r')
    await expect.poll(() => cli.stdout().split('or empty for none').length).toBe(3)
    const [, number = ''] = /(\d) {2}Builds/.exec(cli.stdout()) ?? []
    cli.child.stdin.write(`${number}\r`)
    expect((await cli.ended).stdout).toContain(`Default channel: Builds (${second})`)
  })

  test('Ctrl-C at a question ends with 130, and nothing is stored', async () => {
    const env = cliEnv({ CHANNEL_FEED_URL: service.url })
    const cli = startOnTerminal(['login'], env)
    await type(cli, 'API key: ', '\u0003')
    expect((await cli.ended).code).toBe(130)
    await expect(stat(configOf(env))).rejects.toThrow('ENOENT')
  })
})
