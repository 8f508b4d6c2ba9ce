// What a program does with the package, the same in every runtime: pushes, patches, asks, follows the events and verifies.
import { ChannelFeed } from 'channel-feed'
import { verifyDecision } from 'channel-feed/verify'

/**
 * Somebody must choose `Deploy`. `issuer`: the service's own address.
 * @param {{ url: string, key: string, channel: string, issuer: string }} place
 */
export async function useEverything({ url, key, channel, issuer }) {
  const feed = new ChannelFeed({ url, key }).channel(channel)
  const events = feed.events()
  let open = false
  const first = events.next().then(event => {
    open = true
    return event
  })
  // A stream begins with what happens after it is open.
  let { id } = await feed.push([{ type: 'text', content: 'Hello' }])
  while (!open) id = (await feed.push([{ type: 'text', content: 'Hello' }])).id
  await first

  const patched = await feed.patch(id, { status: 'success' })
  const answer = await feed.ask({ question: 'Deploy v42?', choices: ['Deploy', 'Not now'], expires_in: 3600 })
  const types = new Set()
  for await (const { type, data } of events) {
    types.add(type)
    if (type === 'decision.decided' && data.id === answer.decision.id) break
  }
  const cards = []
  for await (const card of feed.cards({ limit: 2 })) cards.push(card.id)
  const claims = await verifyDecision(answer.jws ?? '', { issuer, decision_id: answer.decision.id })
  return {
    status: patched.status,
    choice: answer.choice,
    approved: answer.approved,
    events: ['card.updated', 'decision.waiting', 'decision.decided'].filter(type => types.has(type)),
    listed: cards.includes(id) && cards.includes(answer.card_id ?? ''),
    verified: claims.choice.id,
  }
}
