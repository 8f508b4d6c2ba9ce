// A slow deletion on this or another instance doesn't delay other channels and users on this one.
import { expect, test } from 'vitest'
import { createAccount, createTestWorkspace, withKey } from '../support/account.ts'
import { createTestChannel, pushCard, textCard } from '../support/cards.ts'
import { patchWorkspace } from '../support/channels.ts'
import { countLockWaits, holdLocks } from '../support/locks.ts'
import { runInstance, runService } from '../support/running.ts'
import { callTo } from '../support/service.ts'

const service = await runService({ WORKSPACE_LIMIT: '0' })
const elsewhere = await runInstance(service, { WORKSPACE_LIMIT: '0' })
const ann = await createAccount(service)
const bob = await createAccount(service)

test.each([
  ['channel', 'this instance', service.url],
  ['workspace', 'this instance', service.url],
  ['channel', 'another instance', elsewhere.url],
  ['workspace', 'another instance', elsewhere.url],
] as const)('P13: the deletion of a %s on %s delays no write to another one', async (what, _, url) => {
  const workspace_id = await createTestWorkspace(ann.session, 'Large')
  const channels = await Promise.all([0, 1, 2].map(() => createTestChannel({ key: ann.key, workspace_id })))
  // The last one isn't open yet.
  for (const cards of channels.slice(0, 2)) await pushCard(ann.key, cards)
  const doomed = what === 'channel' ? channels.slice(0, 1) : channels
  const path = (cards: string) => cards.replace('/cards', '')
  const [first = ''] = doomed
  await ann.session('PATCH', path(first), { mode: 'interactive' })
  await ann.key('POST', `${path(first)}/actions`, { label: 'Locked, so that the deletion waits' })
  const own = await createTestChannel(ann)
  const others = await createTestChannel(bob)
  await pushCard(ann.key, own)
  await pushCard(bob.key, others)

  const channel_id = first.split('/')[2] ?? ''
  const letGo = await holdLocks(
    service.database,
    sql => sql`select from header_actions where channel_id = ${channel_id} for update`,
  )
  const deletion =
    what === 'channel'
      ? withKey(url, ann.api_key)('DELETE', path(first))
      : callTo(`${url}/api`, { Cookie: ann.cookie })('DELETE', `/workspaces/${workspace_id}`)
  await expect.poll(() => countLockWaits(service.sql)).toBe(1)

  const late = doomed.map(cards => ann.key('POST', cards, textCard()))
  const gone = doomed.flatMap(cards => [
    ann.key('PATCH', path(cards), { name: 'New' }),
    ann.key('PUT', `${path(cards)}/attributes`, { a: 'b' }),
  ])
  const interactions = Array.from({ length: 30 }, () =>
    ann.session('POST', `${path(first)}/interactions`, {
      interaction_id: crypto.randomUUID(),
      trigger: { type: 'reply', text: 'Hello' },
    }),
  )
  if (what === 'workspace') gone.push(ann.key('POST', '/channels', { name: 'Late', workspace_id }))

  for (let i = 0; i < 5; i++) {
    expect((await ann.key('POST', own, textCard())).status).toBe(201)
    expect((await bob.key('POST', others, textCard())).status).toBe(201)
  }
  expect((await ann.key('PATCH', path(own), { name: 'Renamed' })).status).toBe(200)
  await createTestChannel(ann)
  await createTestWorkspace(ann.session)
  await patchWorkspace(await createAccount(service), { name: 'N' })
  // All of these responses arrived before the deletion could end.
  expect(await Promise.race([deletion, 'held'])).toBe('held')

  await letGo()
  expect((await deletion).status).toBe(200)
  const statuses = (await Promise.all([...late, ...gone, ...interactions])).map(({ status }) => status)
  expect(statuses.filter(status => status !== 404 && status !== 503)).toEqual([])
  // Cards for a channel that this instance deletes wait for the deletion.
  if (url === service.url) expect(statuses.slice(0, late.length)).toEqual(late.map(() => 404))
  expect((await ann.key('POST', first, textCard())).status).toBe(404)
})
