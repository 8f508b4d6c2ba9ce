// `push`, `patch` and `delete`: what the input becomes.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { buildCliScene } from '../../support/cli-scene.ts'

const { channel, run, readCard } = await buildCliScene()

/** Pushes and reads the card. */
async function pushed(args: string[], input?: string) {
  const { code, stdout, stderr } = await run(['push', ...args], input)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^[0-9a-f-]{36}\n$/)
  return readCard(stdout.trim())
}

async function fileWith(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'channel-feed-push-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'card.json')
  await writeFile(path, text)
  return path
}

describe('push', () => {
  test('plain text from stdin becomes one text block', async () => {
    const { blocks, status } = await pushed([], 'line 1\nline 2\n')
    expect(blocks).toMatchObject([{ type: 'text', content: 'line 1\nline 2' }])
    expect(status).toBe('default')
    const log = await pushed(['-'], '[INFO] 3 tests passed')
    expect(log.blocks).toMatchObject([{ content: '[INFO] 3 tests passed' }])
  })

  test('a JSON array of blocks and a JSON card are pushed as they are', async () => {
    const blocks = [{ type: 'divider', id: 'line' }]
    expect((await pushed([], JSON.stringify(blocks))).blocks).toEqual(blocks)
    const card = await pushed([await fileWith(JSON.stringify({ blocks, status: 'warning' }))])
    expect(card).toMatchObject({ blocks, status: 'warning' })
  })

  test('flags become blocks, in the color of the status', async () => {
    const args = [
      '--text',
      'Backup',
      '--badge',
      'finished',
      '--kv',
      'size=2=GB',
      '--kv',
      'host=',
      '--status',
      'success',
    ]
    expect(await pushed(args)).toMatchObject({
      status: 'success',
      blocks: [
        { type: 'text', content: 'Backup' },
        { type: 'badge', label: 'finished', variant: 'success' },
        {
          type: 'kv',
          rows: [
            { key: 'size', value: '2=GB' },
            { key: 'host', value: '' },
          ],
        },
      ],
    })
  })

  test('flags stand above the blocks of a file, and their status wins', async () => {
    const file = await fileWith('{"blocks": [{"type": "divider", "id": "line"}], "status": "warning"}')
    const card = await pushed([file, '--text', 'Above', '--status', 'error'])
    expect(card).toMatchObject({ status: 'error', blocks: [{ content: 'Above' }, { type: 'divider' }] })
  })

  test('with flags and without a file, stdin is left alone', async () => {
    const { blocks } = await pushed(['--text', 'Flag'], 'stdin')
    expect(blocks).toMatchObject([{ content: 'Flag' }])
  })

  test('a key replaces the card', async () => {
    const first = await pushed(['--text', 'One', '--key', 'nightly run'])
    const second = await pushed(['--text', 'Two', '--key', 'nightly run'])
    expect(second).toMatchObject({ id: first.id, key: 'nightly run', blocks: [{ content: 'Two' }] })
  })

  test('broken JSON is refused, and does not become a text', async () => {
    const { code, stdout, stderr } = await run(['push'], '[{"type": "text", ')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain("channel-feed: Standard input isn't JSON: ")
    expect((await run(['push'], '\n')).stderr).toBe('channel-feed: Standard input is empty\n')
  })

  test('--json prints the response, and warnings of the service are on stderr', async () => {
    const card = { blocks: [{ type: 'button', buttons: [{ id: 'go', label: 'Go' }], decision: {} }] }
    const { stdout, stderr } = await run(['push', '--json'], JSON.stringify(card))
    expect(JSON.parse(stdout)).toMatchObject({ channel_id: channel, decisions: [{ state: 'waiting' }] })
    expect(stderr).toBe('')
  })
})

describe('patch', () => {
  test('each --set and --append changes the --block before it', async () => {
    const blocks = [
      { type: 'text', id: 'title', content: 'Running' },
      { type: 'toggle', id: 'dry', label: 'Dry run' },
      { type: 'kv', id: 'log', rows: [{ key: '14:00', value: 'started' }] },
    ]
    const { id } = await pushed(['--key', 'job'], JSON.stringify(blocks))
    const title = ['--block', 'title', '--set', 'content=42', '--set', 'bold:=true']
    const rows = ['--block', 'log', '--append', '14:01=built', '--append', '14:02=done']
    const { code, stdout } = await run([
      ...['patch', 'key:job', '--status', 'success', ...title],
      ...['--block', 'dry', '--set', 'value=true', ...rows],
    ])
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${id}\n` })
    expect(await readCard(id)).toMatchObject({
      status: 'success',
      blocks: [
        { content: '42', bold: true },
        { value: true },
        { rows: [{ value: 'started' }, { key: '14:01', value: 'built' }, { value: 'done' }] },
      ],
    })
  })

  test('a JSON patch comes from stdin or a file, by id', async () => {
    const { id } = await pushed([], '[{"type": "text", "id": "title", "content": "Running"}]')
    const patch = { status: 'error', blocks: [{ id: 'title', patch: { content: 'Failed' } }] }
    await run(['patch', id, '-'], JSON.stringify(patch))
    expect(await readCard(id)).toMatchObject({ status: 'error', blocks: [{ content: 'Failed' }] })
    await run(['patch', id, await fileWith('[{"id": "title", "patch": {"content": "Retrying"}}]')])
    expect(await readCard(id)).toMatchObject({ blocks: [{ content: 'Retrying' }] })
  })
})

test('delete removes the card, and stdout stays empty', async () => {
  const { id } = await pushed(['--text', 'Old', '--key', 'old'])
  const { code, stdout, stderr } = await run(['delete', 'key:old'])
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: 'Deleted\n' })
  expect((await run(['delete', id])).code).toBe(5)
})
