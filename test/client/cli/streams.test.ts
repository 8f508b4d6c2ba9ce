// `tail` and `watch`: what happens in a channel, as it happens.
import { expect, test } from 'vitest'
import type { RunningCli } from '../../support/cli.ts'
import { buildCliScene } from '../../support/cli-scene.ts'

const { ann, channel, run, start, press } = await buildCliScene()

const reply = (text: string) =>
  ann.session('POST', `/channels/${channel}/interactions`, { trigger: { type: 'reply', text } })

/** Nothing says when a stream has begun, so this repeats the reply until it shows. */
async function untilFollowed(tail: RunningCli): Promise<void> {
  await expect
    .poll(async () => {
      await reply('begin')
      return tail.stdout()
    })
    .toContain('begin')
}

const ISO = expect.stringMatching(/^\d{4}-.*Z$/)

/** The lines from `since` on. */
const linesOf = (cli: RunningCli, since = 0) => cli.stdout().split('\n').slice(since, -1)

test('tail prints interactions and decisions, one per line, and --since continues after an id', async () => {
  const tail = start(['tail'])
  await untilFollowed(tail)
  const handle = (await run(['ask', 'Ready?', '--no-wait'])).stdout.trim()
  await press(handle, 'Yes')
  await reply('two\nlines \u001b[2J')
  await expect.poll(tail.stdout).toContain('two lines')
  const lines = linesOf(tail).filter(line => !line.endsWith('begin'))
  expect(lines.map(line => line.split('\t').slice(1))).toEqual([
    [ISO, `${handle} waiting`],
    [ISO, `${handle} decided: Ann chose Yes`],
    [ISO, expect.stringMatching(/^pressed Yes on card [0-9a-f-]{36}$/)],
    [ISO, 'replied: two lines \\u{1B}[2J'],
  ])
  const [waiting = ''] = lines
  const again = start(['tail', channel, '--since', waiting.split('\t')[0] ?? ''])
  await expect.poll(() => linesOf(again)).toEqual(lines.slice(1))
})

test('tail --json prints one event per line, without those of cards', async () => {
  const tail = start(['tail', '--json'])
  await untilFollowed(tail)
  await run(['push', '--text', 'Hello'])
  const handle = (await run(['ask', 'Ready?', '--no-wait'])).stdout.trim()
  await expect.poll(tail.stdout).toContain('decision.waiting')
  const events = linesOf(tail).map(line => JSON.parse(line))
  expect(new Set(events.map(event => event.type))).toEqual(
    new Set(['interaction.created', 'decision.waiting']),
  )
  expect(events.at(-1)).toMatchObject({ id: expect.any(String), data: { id: handle.split('/')[1] } })
})

test('an id that is too old is said, and what follows is printed', async () => {
  const tail = start(['tail', '--since', '1.1.-1.0'])
  await expect.poll(tail.stderr).toContain('Some events are missing')
  await untilFollowed(tail)
})

test('watch shows cards as they change', async () => {
  const watch = start(['watch', channel])
  await expect
    .poll(async () => {
      await run(['push', '--text', 'begin', '--key', 'begin'])
      return watch.stdout()
    })
    .toContain('begin')
  const blocks = [
    { type: 'text', content: 'Backup\n\u001b[2J' },
    { type: 'kv', rows: [{ key: 'size', value: '2 GB' }] },
    { type: 'input', input_type: 'password', label: 'Password', value: 'hunter2' },
    { type: 'button', buttons: [{ id: 'again', label: 'Again' }] },
  ]
  const { stdout } = await run(['push', '--status', 'success', '--key', 'backup'], JSON.stringify(blocks))
  const id = stdout.trim()
  await expect.poll(watch.stdout).toContain(id)
  expect(watch.stdout()).toContain(
    `success  ${id}  key:backup\n  Backup\n  \\u{1B}[2J\n  size: 2 GB\n  Password: \n  (Again)\n\n`,
  )
  await run(['delete', 'key:backup'])
  await expect.poll(watch.stdout).toContain(`deleted  ${id}\n`)
})

test('a channel that is unknown ends the stream with 5', async () => {
  expect(await start(['tail', ann.workspace_id]).ended).toMatchObject({ code: 5, stdout: '' })
})
