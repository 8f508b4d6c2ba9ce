// What reaches stdout and stderr: data and words, colors, pipes that close.
import { describe, expect, test } from 'vitest'
import { handleOf, hasTerminal, runCli, runShell, shellCommand, startOnTerminal } from '../../support/cli.ts'
import { buildCliScene } from '../../support/cli-scene.ts'

const { ann, channel, env, run, start, press } = await buildCliScene()
const ESCAPE = '\u001b['
const TITLE = 'Title \u001b]0;owned\u0007 \u202egnp.exe'

describe('--json', () => {
  test('an error is one JSON line on stderr, with the code and status of the service', async () => {
    const refused = await run(['push', '--json'], '[{"type": "video"}]')
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 5, stdout: '' })
    expect(JSON.parse(refused.stderr)).toMatchObject({ code: 'field_invalid', status: 400 })
    expect(Object.keys(JSON.parse(refused.stderr))).toEqual(['error', 'code', 'status'])
    const usage = JSON.parse((await run(['push', '--bogus', '--json'])).stderr)
    expect(usage).toEqual({ error: "unknown option '--bogus'", code: 'usage', status: null })
    const down = await runCli(['list', 'channels', '--json'], {
      env: env({ CHANNEL_FEED_URL: 'http://127.0.0.1:1' }),
    })
    expect(JSON.parse(down.stderr)).toMatchObject({ code: null, status: null })
  })

  test('a list is one JSON array', async () => {
    await run(['push', '--text', 'Hello', '--key', 'listed'])
    const cards = JSON.parse((await run(['list', 'cards', '--json', '--limit', '1'])).stdout)
    expect(cards).toMatchObject([{ key: 'listed', blocks: [{ content: 'Hello' }] }])
    const channels = JSON.parse((await run(['list', 'channels', '--json'])).stdout)
    expect(channels).toMatchObject([{ id: channel, name: 'Deployments', workspace: 'Team' }])
    expect(JSON.parse((await run(['list', 'decisions', '--json'])).stdout)).toEqual([])
  })
})

test('--quiet keeps the data and the errors', async () => {
  const cli = start(['ask', 'Ready?', '--quiet', '--no-wait'])
  const { stdout, stderr } = await cli.ended
  expect(stderr).toBe('')
  expect(stdout).toMatch(/^[0-9a-f-]{36}\/[0-9a-f-]{36}\n$/)
  expect((await run(['push', '--quiet', '--bogus'])).stderr).toContain('--bogus')
})

describe('a table', () => {
  test('in a pipe, rows have tabs between whole values and no heads', async () => {
    const long = 'word '.repeat(60).trim()
    const { stdout: id } = await run(['push', '--text', long, '--status', 'warning', '--key', 'wide'])
    const { stdout } = await run(['list', 'cards', '--limit', '1'])
    const [shown, status, updated, key, title] = stdout.trimEnd().split('\t')
    expect([shown, status, key, title]).toEqual([id.trim(), 'warning', 'wide', long])
    expect(updated).toMatch(/^\d{4}-.*Z$/)
  })

  test('decisions have their handle, their state and who chose what', async () => {
    const handle = (await run(['ask', 'Listed?', '--no-wait'])).stdout.trim()
    const row = async () => (await run(['list', 'decisions', '--limit', '1'])).stdout.trimEnd().split('\t')
    expect(await row()).toEqual([handle, 'waiting', expect.anything(), '', 'Yes / No'])
    await press(handle, 'No')
    expect(await row()).toEqual([handle, 'decided', expect.anything(), '', 'No · Ann'])
    const { stdout } = await run(['list', 'decisions', '--state', 'decided'])
    expect(stdout).toContain(handle)
  })

  test.runIf(hasTerminal)('on a terminal it has heads, and the last column fits the screen', async () => {
    await run(['push', '--text', 'word '.repeat(60).trim(), '--key', 'wide2'])
    const { stdout } = await startOnTerminal(['list', 'cards', '--limit', '1'], env()).ended
    const [heads = '', row = ''] = stdout.split('\r\n')
    expect(heads).toContain('KEY')
    expect(heads).toContain(ESCAPE)
    expect(row).toMatch(/wide2 +word word.*…$/)
  })
})

describe('text of cards', () => {
  test('control and bidi characters of a card are shown as escapes', async () => {
    await run(['push'], JSON.stringify([{ type: 'text', content: TITLE }]))
    const { stdout } = await run(['list', 'cards', '--limit', '1'])
    expect(stdout).toContain('Title \\u{1B}]0;owned\\u{7} \\u{202E}gnp.exe')
    const cards = JSON.parse((await run(['list', 'cards', '--limit', '1', '--json'])).stdout)
    expect(cards[0].blocks[0].content).toBe(TITLE)
  })
})

describe('colors', () => {
  const failing = ['push', '--bogus']

  test('files and pipes have none, unless FORCE_COLOR asks for them', async () => {
    const colored = async (more: Record<string, string>, ...flags: string[]) =>
      (await runCli([...failing, ...flags], { env: env(more) })).stderr.includes(ESCAPE)
    expect(await colored({})).toBe(false)
    expect(await colored({ FORCE_COLOR: '1' })).toBe(true)
    expect(await colored({ FORCE_COLOR: '1', NO_COLOR: '1' })).toBe(false)
    expect(await colored({ FORCE_COLOR: '0' })).toBe(false)
  })

  test.runIf(hasTerminal)('a terminal has them, unless something turns them off', async () => {
    const colored = async (more: Record<string, string>, ...flags: string[]) =>
      (await startOnTerminal([...flags, ...failing], env(more)).ended).stdout.includes(ESCAPE)
    expect(await colored({})).toBe(true)
    expect(await colored({ NO_COLOR: '1' })).toBe(false)
    expect(await colored({ TERM: 'dumb' })).toBe(false)
    expect(await colored({}, '--no-color')).toBe(false)
  })
})

describe('a closed pipe', () => {
  /** Runs a line of bash. The exit code is that of the first command of its pipe. */
  const shell = (line: string) =>
    runShell(`feed() { ${shellCommand} "$@"; }; ${line}; exit \${PIPESTATUS[0]}`, { env: env() })

  test('a command whose reader leaves ends quietly with 0', async () => {
    expect(await shell('feed --help | true')).toMatchObject({ code: 0, stderr: '' })
    expect(await shell('feed completion bash | true')).toMatchObject({ code: 0, stderr: '' })
  })

  test('a choice that does not approve stays 1, even if nobody reads it', async () => {
    const cli = start(['ask', 'Deploy?'])
    const handle = await handleOf(cli)
    await press(handle, 'No')
    await cli.ended
    expect((await shell(`feed wait ${handle} | true`)).code).toBe(1)
    expect((await shell(`feed wait ${handle} >&-`)).code).toBe(1)
  })

  test('a stream ends when its reader leaves', async () => {
    const tail = start(['tail', '--json'])
    tail.child.stdout.destroy()
    const trigger = { type: 'reply', text: 'Anybody there?' }
    await expect
      .poll(async () => {
        await ann.session('POST', `/channels/${channel}/interactions`, { trigger })
        return tail.child.exitCode
      })
      .toBe(0)
    expect(tail.stderr()).toBe('')
  })
})
