// Every answer of the service that the client can meet: only the pressed choice that approves lets an action go ahead.
import { describe, expect, test } from 'vitest'
import type { ChannelHandle } from '../../client/channel.ts'
import { ChannelFeed } from '../../client/channel-feed.ts'
import { DECISION_STATES } from '../../shared/decision.ts'
import { CHOICES, CREATED_CARD, decisionWith } from '../support/made-up-decisions.ts'

/** Whether the caller would go ahead. */
const WAYS: Record<string, (feed: ChannelHandle, choices: [string, string]) => Promise<boolean>> = {
  ask: async (feed, choices) => (await feed.ask({ question: 'Deploy?', choices, timeout: 20 })).approved,
  confirm: (feed, choices) => feed.confirm('Deploy?', { choices, timeout: 20 }),
  'review with edit': feed => isReviewed(feed, ['approve', 'edit', 'reject']),
  'review without edit': feed => isReviewed(feed, ['approve', 'reject', 'respond']),
}

async function isReviewed(feed: ChannelHandle, allow: ('approve' | 'edit' | 'reject' | 'respond')[]) {
  const { type } = await feed.review({ action: 'deploy', args: { to: 'web-1' }, allow, timeout: 20 })
  return type === 'approve' || type === 'edit'
}

/** A channel of a service that takes the question, and then answers so. */
function feedWith(answer: () => Response | Promise<Response>) {
  return new ChannelFeed({
    url: 'http://feed.example.com',
    key: 'cf_test',
    fetch: async (_, init) =>
      init?.method === 'POST' ? Response.json(CREATED_CARD, { status: 201 }) : answer(),
  }).channel('channel')
}

const rows = DECISION_STATES.flatMap(state =>
  [...CHOICES, 'respond', null].flatMap(pressed =>
    [...CHOICES, null].map(approves => ({ state, pressed, approves })),
  ),
)

describe.each(Object.entries(WAYS))('%s', (_, way) => {
  test.each(rows)(
    '$state, pressed $pressed, approves $approves: only decided with approve approves',
    async row => {
      const feed = feedWith(() => Response.json(decisionWith(row.state, row.pressed, row.approves)))
      const goes = await way(feed, CHOICES).catch(() => false)
      expect(goes).toBe(row.state === 'decided' && row.pressed === 'approve' && row.approves === 'approve')
    },
  )

  const error = (status: number, code: string) => () =>
    Response.json({ error: 'message' }, { status, headers: { 'Error-Code': code } })
  test.each<[string, Parameters<typeof feedWith>[0]]>([
    ['a deleted key', error(401, 'unauthorized')],
    ['a key that lost its workspace', error(403, 'access_denied')],
    ['a deleted channel', error(404, 'channel_not_found')],
    ['a question that waits elsewhere', error(409, 'key_in_use')],
    ['too many waits', error(429, 'too_many_waits')],
    ['a failure of the service', error(500, 'internal')],
    ['a restart', error(503, 'unavailable')],
    [
      'a page of a proxy',
      () => new Response('<h1>Approved</h1>', { headers: { 'Content-Type': 'text/html' } }),
    ],
    ['an empty object', () => Response.json({})],
    ['true', () => Response.json(true)],
    [
      'an unknown state',
      () => Response.json({ ...decisionWith('decided', 'approve', 'approve'), state: 'approved' }),
    ],
    ['a lost connection', () => Promise.reject(new TypeError('fetch failed'))],
  ])('%s throws', async (_, answer) => {
    await expect(way(feedWith(answer), CHOICES)).rejects.toThrow()
  })
})
