// Host names whose servers don't respond delay their owner's deliveries, and no other owner's.
import type { LookupAddress } from 'node:dns'
import { setMaxListeners } from 'node:events'
import { expect, test } from 'vitest'
import type { Resolve } from '../../server/webhooks/address-guard.ts'
import { deliver } from '../../server/webhooks/deliver.ts'
import { FairLookups } from '../../server/webhooks/fair-lookups.ts'
import { startReceiver } from '../support/receiver.ts'

const AT_ONCE = 8
const loopback: LookupAddress[] = [{ address: '127.0.0.1', family: 4 }]

/** A resolver that resolves `quick` names at once, and others when their function in `open` is called. */
function makeResolver() {
  const asked: string[] = []
  const open = new Map<string, () => void>()
  const resolve: Resolve = (name, _, callback) => {
    asked.push(name)
    if (name.startsWith('quick')) return void setImmediate(callback, null, loopback)
    open.set(name, () => {
      open.delete(name)
      callback(null, loopback)
    })
  }
  return { asked, open, resolve }
}

const names = (count: number, owner: string) =>
  Array.from({ length: count }, (_, i) => `${owner}-${i}.example`)

function lookUp(lookups: FairLookups, owner: string, name: string, ended = new AbortController()) {
  const address = new Promise<string>((resolve, reject) =>
    lookups.of(owner, ended.signal)(name, { all: true }, (error, addresses) =>
      error ? reject(error) : resolve(addresses[0]?.address ?? ''),
    ),
  )
  return { address, giveUp: () => ended.abort() }
}

test('a delivery goes out while another owner’s lookups hang', async () => {
  const receiver = await startReceiver()
  const { port } = new URL(receiver.url)
  const { open, resolve } = makeResolver()
  const lookups = new FairLookups(resolve, AT_ONCE)
  const ending = new AbortController()
  setMaxListeners(200, ending.signal)
  const send = (owner: string, name: string) =>
    deliver(
      { url: `http://${name}:${port}/`, body: '{}', interaction_id: name, secrets: [] },
      {
        private_networks: 'allow',
        head_timeout_ms: 60_000,
        signal: ending.signal,
        resolve: lookups.of(owner, new AbortController().signal),
      },
    )
  const flood = names(100, 'flood').map(name => send('ann', name))
  expect(await send('bob', 'quick.example')).toMatchObject({ status: 'success' })
  // The other owner has half of the lookups, all still pending.
  expect(open.size).toBe(AT_ONCE / 2)
  ending.abort()
  await Promise.all(flood)
  await receiver.stop()
})

test('the owner with the fewest lookups comes first, then the order of arrival', async () => {
  const { asked, open, resolve } = makeResolver()
  const lookups = new FairLookups(resolve, 4)
  const ann = names(3, 'ann').map(name => lookUp(lookups, 'ann', name))
  for (const owner of ['bob', 'eve', 'kim']) lookUp(lookups, owner, `${owner}.example`)
  expect(asked).toEqual(['ann-0.example', 'ann-1.example', 'bob.example', 'eve.example'])
  open.get('ann-0.example')?.()
  await ann[0]?.address
  open.get('ann-1.example')?.()
  await ann[1]?.address
  expect(asked.slice(4)).toEqual(['kim.example', 'ann-2.example'])
})

test('concurrent lookups of a name share one, even for different owners', async () => {
  const { asked, open, resolve } = makeResolver()
  const lookups = new FairLookups(resolve, AT_ONCE)
  const results = ['ann', 'ann', 'bob'].map(owner => lookUp(lookups, owner, 'same.example').address)
  open.get('same.example')?.()
  expect(await Promise.all(results)).toEqual(['127.0.0.1', '127.0.0.1', '127.0.0.1'])
  expect(asked).toEqual(['same.example'])
})

test('the lookup of a delivery that has ended is never started', async () => {
  const { asked, open, resolve } = makeResolver()
  const lookups = new FairLookups(resolve, 2)
  const first = lookUp(lookups, 'ann', 'first.example')
  const gone = lookUp(lookups, 'ann', 'gone.example')
  const last = lookUp(lookups, 'ann', 'last.example')
  gone.giveUp()
  open.get('first.example')?.()
  await first.address
  open.get('last.example')?.()
  await last.address
  expect(asked).toEqual(['first.example', 'last.example'])
})

test('a failed lookup frees its slot', async () => {
  const { resolve } = makeResolver()
  const failing: Resolve = (name, options, callback) =>
    name === 'gone.example'
      ? void setImmediate(callback, Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), [])
      : resolve(name, options, callback)
  const lookups = new FairLookups(failing, 2)
  const gone = lookUp(lookups, 'ann', 'gone.example')
  const next = lookUp(lookups, 'ann', 'quick.example')
  await expect(gone.address).rejects.toThrow('no such name')
  expect(await next.address).toBe('127.0.0.1')
})
