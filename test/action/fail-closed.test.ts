// Whatever the service answers, the step ends with 0 in one case only: the first choice was pressed, and it approves.
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { startStep } from '../support/action-run.ts'
import { CHOICES, CREATED_CARD, decisionWith } from '../support/made-up-decisions.ts'
import { listenOn } from '../support/ports.ts'

const KNOWN = [
  ...CHOICES.flatMap(pressed =>
    [...CHOICES, null].map(approves => ({ state: 'decided' as const, pressed, approves })),
  ),
  { state: 'decided' as const, pressed: null, approves: 'approve' },
  { state: 'expired' as const, pressed: 'approve', approves: 'approve' },
  { state: 'cancelled' as const, pressed: 'approve', approves: 'approve' },
]

/** The address of a service that takes the question, and then answers so. */
async function serviceWith(status: number, answer: unknown): Promise<string> {
  const server = createServer(({ method }, response) => {
    const created = method === 'POST'
    response.writeHead(created ? 201 : status, {
      'Error-Code': status === 401 ? 'unauthorized' : 'channel_not_found',
    })
    response.end(JSON.stringify(created ? CREATED_CARD : answer))
  })
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${await listenOn(server)}`
}

async function endWith(status: number, answer: unknown) {
  const url = await serviceWith(status, answer)
  const inputs = { url, key: 'cf_test', channel: 'channel', question: 'Deploy?', choices: CHOICES.join('\n') }
  const step = startStep(inputs)
  const code = await step.ended
  return { code, approved: step.outputs().approved }
}

test.each(KNOWN)(
  '$state, pressed $pressed, approves $approves: only the first choice ends the step with 0',
  async row => {
    const goes = row.state === 'decided' && row.pressed === 'approve' && row.approves === 'approve'
    expect(await endWith(200, decisionWith(row.state, row.pressed, row.approves))).toEqual({
      code: goes ? 0 : 1,
      approved: String(goes),
    })
  },
)

test.each([
  ['an unknown state', 200, { ...decisionWith('decided', 'approve', 'approve'), state: 'approved' }],
  ['an empty object', 200, {}],
  ['a deleted key', 401, {}],
  ['a deleted channel', 404, {}],
])('%s ends the step with 1', async (_, status, answer) => {
  expect(await endWith(status, answer)).toEqual({ code: 1, approved: 'false' })
})
