// `ask` and what continues it: each end of a question has its own exit code, and only the first choice is 0.
import { describe, expect, test } from 'vitest'
import { createTestKey } from '../../support/account.ts'
import { handleOf, runCli } from '../../support/cli.ts'
import { buildCliScene } from '../../support/cli-scene.ts'

const { ann, channel, env, run, start, press, readQuestion, readCard } = await buildCliScene()
const DEPLOY = ['ask', 'Deploy v42?', '--choice', 'Deploy', '--choice', 'Not now']

describe('the answer', () => {
  test('the first choice ends with 0, and stdout has nothing but the choice', async () => {
    const cli = start(DEPLOY)
    const handle = await handleOf(cli)
    expect(cli.stderr()).toContain(`Waiting: ${(await readQuestion(handle)).url}\n`)
    await press(handle, 'Deploy')
    expect(await cli.ended).toMatchObject({ code: 0, stdout: 'Deploy\n' })
    expect(cli.stderr()).toContain('Ann chose Deploy\n')
  })

  test('another choice ends with 1, and its comment is on stderr in one line', async () => {
    const cli = start([...DEPLOY, '--comment', 'optional'])
    await press(await handleOf(cli), 'Not now', 'first\nthe tests \u001b[31m')
    expect(await cli.ended).toMatchObject({ code: 1, stdout: 'Not now\n' })
    expect(cli.stderr()).toContain('Ann chose Not now: first the tests \\u{1B}[31m\n')
  })

  test('without choices, the question is answered with Yes or No', async () => {
    const cli = start(['ask', 'Ready?'])
    const handle = await handleOf(cli)
    expect(await readQuestion(handle)).toMatchObject({
      approves: 'Yes',
      if_changed: 'refuse',
      choices: [
        { id: 'Yes', label: 'Yes', style: 'primary' },
        { id: 'No', label: 'No', style: 'danger' },
      ],
    })
    await press(handle, 'No')
    expect((await cli.ended).code).toBe(1)
  })

  test('--json prints the whole answer, with the values of fields', async () => {
    const cli = start([
      'ask',
      'Which version?',
      '--json',
      '--field',
      'version:Version',
      '--field',
      'dry:Dry run:toggle',
    ])
    const handle = await handleOf(cli)
    const { card_id } = await readQuestion(handle)
    expect((await readCard(card_id ?? '')).blocks).toMatchObject([
      { type: 'text', content: 'Which version?' },
      { type: 'input', id: 'version', label: 'Version', input_type: 'text' },
      { type: 'toggle', id: 'dry', label: 'Dry run' },
      { type: 'button' },
    ])
    await press(handle, 'Yes')
    const { code, stdout } = await cli.ended
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ choice: 'Yes', approved: true, handle, card_id, by: { name: 'Ann' } },
      values: { version: '', dry: false },
    })
    expect(stdout.trimEnd()).not.toContain('\n')
  })

  test('the flags become the settings of the question', async () => {
    const cli = start([
      ...['ask', 'Deploy?', '--details', 'To production', '--expires', '1h30m', '--who', ann.email],
      ...['--comment', 'required', '--key', 'release-42', '--abandon', 'keep', '--agents'],
    ])
    const question = await readQuestion(await handleOf(cli))
    expect(question).toMatchObject({ who: [ann.email], comment: 'required', key: 'release-42', agents: true })
    const seconds = Date.parse(question.expires_at ?? '') - Date.parse(question.asked_at)
    expect(seconds).toBe(5_400_000)
  })
})

describe('a question without a decision', () => {
  test('an expired question ends with 3', async () => {
    const { code, stdout, stderr } = await run(['ask', 'Deploy?', '--expires', '1s'])
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toContain('channel-feed: Nobody decided before the deadline')
  })

  test('a question that is closed meanwhile ends with 9, and cancel ends with 0', async () => {
    const cli = start(DEPLOY)
    const handle = await handleOf(cli)
    expect(await run(['cancel', handle])).toMatchObject({ code: 0, stdout: '' })
    expect(await cli.ended).toMatchObject({ code: 9, stdout: '' })
    expect(await run(['wait', handle])).toMatchObject({ code: 9, stdout: '' })
  })

  test('a question whose card is deleted ends with 9', async () => {
    const cli = start(DEPLOY)
    const { card_id } = await readQuestion(await handleOf(cli))
    expect((await run(['delete', card_id ?? ''])).code).toBe(0)
    expect((await cli.ended).code).toBe(9)
  })

  test('--timeout ends with 8, leaves the question open, and says how to continue', async () => {
    const { code, stdout, stderr } = await run([...DEPLOY, '--timeout', '1s'])
    expect({ code, stdout }).toEqual({ code: 8, stdout: '' })
    const handle = await handleOf({ stderr: () => stderr })
    expect(stderr).toContain(`Continue with: channel-feed wait ${handle}\n`)
    expect((await readQuestion(handle)).state).toBe('waiting')
    expect((await run(['wait', handle, '--timeout', '1s'])).code).toBe(8)
  })

  test('--no-wait prints the handle and ends with 8; wait then ends like ask', async () => {
    const { code, stdout } = await run([...DEPLOY, '--no-wait'])
    expect(code).toBe(8)
    const handle = stdout.trim()
    const waiting = start(['wait', handle])
    await press(handle, 'Not now')
    expect(await waiting.ended).toMatchObject({ code: 1, stdout: 'Not now\n' })
    expect(await run(['cancel', handle])).toMatchObject({ code: 5, stdout: '' })
  })

  test('an unknown handle ends with 5, and other text with 2', async () => {
    const unknown = await run(['wait', `${channel}/${channel}`])
    expect(unknown).toMatchObject({ code: 5, stderr: 'channel-feed: Decision not found\n' })
    const nonsense = await run(['wait', 'nonsense'])
    expect(nonsense).toMatchObject({ code: 2, stdout: '' })
    expect(nonsense.stderr).toContain('The handle must be CHANNEL/DECISION, as ask prints it, not "nonsense"')
  })
})

describe('Ctrl-C', () => {
  test('the question stays open, and the line that continues is printed', async () => {
    const cli = start(DEPLOY)
    const handle = await handleOf(cli)
    cli.child.kill('SIGINT')
    expect(await cli.ended).toMatchObject({ code: 130, stdout: '' })
    expect(cli.stderr()).toContain(`\nchannel-feed wait ${handle}\n`)
    expect((await readQuestion(handle)).state).toBe('waiting')

    const waiting = start(['wait', handle])
    await press(handle, 'Deploy')
    expect(await waiting.ended).toMatchObject({ code: 0, stdout: 'Deploy\n' })
  })

  test.each(['SIGINT', 'SIGTERM'] as const)('--abandon cancel withdraws the question at %s', async signal => {
    const cli = start([...DEPLOY, '--abandon', 'cancel'])
    const handle = await handleOf(cli)
    cli.child.kill(signal)
    expect((await cli.ended).code).toBe(130)
    expect(await readQuestion(handle)).toMatchObject({ state: 'cancelled', reason: 'withdrawn' })
  })

  test('wait leaves the question open, too', async () => {
    const handle = (await run([...DEPLOY, '--no-wait'])).stdout.trim()
    const cli = start(['wait', handle])
    await expect.poll(cli.stderr).toContain('Waiting: ')
    cli.child.kill('SIGINT')
    expect((await cli.ended).code).toBe(130)
    expect((await readQuestion(handle)).state).toBe('waiting')
  })
})

describe('decide', () => {
  test('another key decides a question that allows agents', async () => {
    const cli = start([...DEPLOY, '--agents', '--comment', 'optional'])
    const handle = await handleOf(cli)
    const { key } = await createTestKey(ann.session, { name: 'review-bot' })
    const other = env({ CHANNEL_FEED_KEY: key })
    const decided = await runCli(['decide', handle, 'Deploy', '--comment', 'green'], { env: other })
    expect(decided).toMatchObject({ code: 0, stdout: 'Deploy\n' })
    expect((await cli.ended).code).toBe(0)
    expect(cli.stderr()).toContain('review-bot chose Deploy: green\n')
  })

  test('the key that asked may not decide, which ends with 4', async () => {
    const handle = (await run([...DEPLOY, '--agents', '--no-wait'])).stdout.trim()
    const refused = await run(['decide', handle, 'Deploy'])
    expect(refused).toMatchObject({ code: 4, stdout: '' })
    expect(refused.stderr).toContain('The key that asked may not decide')
    const unknown = await run(['decide', handle, 'Go'])
    expect(unknown.code).toBe(2)
    expect(unknown.stderr).toContain('The choices are: Deploy, Not now')
  })
})

test('two processes with the same key and question wait for the same decision', async () => {
  const first = start([...DEPLOY, '--key', 'v42'])
  const handle = await handleOf(first)
  const second = start([...DEPLOY, '--key', 'v42'])
  expect(await handleOf(second)).toBe(handle)
  const other = await run(['ask', 'Deploy v43?', '--key', 'v42'])
  expect(other.code).toBe(5)
  expect(other.stderr).toContain('A different question with this key is waiting')
  await press(handle, 'Deploy')
  expect([(await first.ended).code, (await second.ended).code]).toEqual([0, 0])
})

test('an error of the service names the flag', async () => {
  const late = await run([...DEPLOY, '--expires', '400d'])
  expect(late.code).toBe(5)
  expect(late.stderr).toContain('--expires: blocks[1].decision.expires_in must be')
  const who = await run([...DEPLOY, '--who', 'nobody@example.com'])
  expect(who.stderr).toContain('--who: blocks[1].decision.who[0] has no account')
})
