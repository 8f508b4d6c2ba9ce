// `completion`: scripts that complete commands, flags, channels and keys in the shells that are installed.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cliEnv, runCli, runShell, shellCommand } from '../../support/cli.ts'
import { buildCliScene } from '../../support/cli-scene.ts'
import { isInstalled } from '../../support/programs.ts'

const { service, ann, channel, env, run } = await buildCliScene()
await ann.key('PUT', `/channels/${channel}/cards/by-key/nightly%20run`, {
  blocks: [{ type: 'text', content: 'Nightly' }],
})

/** What a shell gets for these words. */
async function complete(words: string[], variables = env()): Promise<string[]> {
  const { stdout } = await runCli(['complete', '--', ...words], { env: variables })
  return stdout.split('\n').flatMap(line => (line === '' ? [] : (line.split('\t')[0] ?? [])))
}

describe('candidates', () => {
  test('the first word is a command, and hidden ones are left out', async () => {
    const all = await complete([''])
    expect(all).toEqual(expect.arrayContaining(['login', 'push', 'ask', 'hook', 'completion']))
    expect(all).not.toContain('complete')
    expect(await complete(['wa'])).toEqual(['wait', 'watch'])
    expect(await complete(['list', 'c'])).toEqual(['channels', 'cards'])
  })

  test('flags are those of the command and the common ones', async () => {
    expect(await complete(['push', '--k'])).toEqual(['--kv', '--key'])
    expect(await complete(['push', '--text', 'x', '--js'])).toEqual(['--json'])
    expect(await complete(['push', '--status', ''])).toContain('warning')
    expect(await complete(['hook', ''])).toEqual(['claude', 'codex', 'gemini'])
  })

  test('channels come from the service, and keys from the cards of the channel', async () => {
    expect(await complete(['tail', ''])).toEqual([channel])
    expect(await complete(['push', '--channel', channel.slice(0, 4)])).toEqual([channel])
    expect(await complete(['patch', 'key:'])).toEqual(['key:nightly run'])
    expect(await complete(['push', '--key', 'n'])).toEqual(['nightly run'])
    const { stdout } = await run(['complete', '--', 'tail', ''])
    expect(stdout).toBe(`${channel}\tDeployments\n`)
  })

  test('if the service is away, the channels of stored logins remain', async () => {
    const stored = cliEnv()
    const login = ['login', '--url', service.url, '--key-stdin', '--profile', 'work']
    await runCli(login, { env: stored, input: ann.api_key })
    const away = { ...stored, CHANNEL_FEED_URL: 'http://127.0.0.1:1' }
    expect(await complete(['tail', ''], away)).toEqual([channel])
    expect(await complete(['list', '--profile', ''], away)).toEqual(['work'])
    expect(await complete(['patch', 'key:'], away)).toEqual([])
  })
})

describe('a shell', () => {
  /** Variables of a shell that finds the command. */
  function withCommand() {
    const variables = env()
    const bin = join(variables.HOME ?? '', 'bin')
    mkdirSync(bin)
    writeFileSync(join(bin, 'channel-feed'), `#!/bin/sh\nexec ${shellCommand} "$@"\n`)
    chmodSync(join(bin, 'channel-feed'), 0o755)
    return { ...variables, PATH: `${bin}:${variables.PATH}` }
  }
  /** The replies of bash at the end of a line. */
  const inBash = (line: string) =>
    [
      'eval "$(channel-feed completion bash)"',
      `COMP_LINE='${line}'; COMP_POINT=\${#COMP_LINE}; read -ra COMP_WORDS <<< "$COMP_LINE"`,
      `_channel_feed; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ].join('\n')

  test.runIf(isInstalled('bash'))('bash completes commands, channels and keys with spaces', async () => {
    const variables = withCommand()
    const replies = async (line: string) => (await runShell(inBash(line), { env: variables })).stdout
    expect(await replies('channel-feed wa')).toBe('wait\nwatch\n')
    expect(await replies('channel-feed tail ')).toBe(`${channel}\n`)
    expect(await replies('channel-feed push --key ')).toBe('nightly\\ run\n')
    // Bash replaces only what follows the colon.
    expect(await replies('channel-feed patch key:ni')).toBe('nightly\\ run\n')
  })

  for (const shell of ['zsh', 'fish'])
    test.runIf(isInstalled(shell))(`${shell} reads its script without an error`, async () => {
      const { stdout } = await run(['completion', shell])
      const check = await runShell(`${shell} -n /dev/stdin <<'END'\n${stdout}\nEND`, { env: withCommand() })
      expect(check).toMatchObject({ code: 0, stderr: '' })
    })
})
