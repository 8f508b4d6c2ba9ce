// How places are shared: an owner may hold as many as are still free, in all and at each host.
import { describe, expect, test } from 'vitest'
import { PLACES, Places } from '../../server/webhooks/places.ts'

/** Takes places at these hosts in turn until none is given. Returns what gives them back. */
function takeAll(places: Places, owner: string, hosts: string[]): (() => void)[] {
  const taken: (() => void)[] = []
  for (let missed = 0, i = 0; missed < hosts.length; i++) {
    const giveBack = places.take(owner, hosts[i % hosts.length] ?? '')
    if (giveBack) taken.push(giveBack)
    missed = giveBack ? 0 : missed + 1
  }
  return taken
}

const hostsOf = (owner: string) => Array.from({ length: 10 }, (_, i) => `${i}.${owner}.example`)

describe('an owner who takes all places that are given', () => {
  test.each([1, 2, 3, 7])('gets its part beside others like it: %i in all', count => {
    const places = new Places()
    const owners = Array.from({ length: count }, (_, i) => `owner ${i}`)
    // In turn, one place each: the order in which a claim serves owners.
    const held = new Map(owners.map(owner => [owner, 0]))
    for (let given = true; given; ) {
      given = false
      for (const owner of owners) {
        const n = held.get(owner) ?? 0
        if (!places.take(owner, `${n % 10}.${owner}.example`)) continue
        held.set(owner, n + 1)
        given = true
      }
    }
    const part = PLACES / (count + 1)
    for (const n of held.values()) expect(Math.abs(n - part)).toBeLessThanOrEqual(1)
    expect(places.taken().free).toBeGreaterThanOrEqual(Math.floor(part))
    expect(places.take('other', 'other.example')).not.toBeNull()
  })

  test('gets a quarter at one host, and others still get places there', () => {
    const places = new Places()
    expect(takeAll(places, 'ann', ['slow.example'])).toHaveLength(PLACES / 4)
    expect(places.taken().busy).toEqual([{ owner_id: 'ann', host: 'slow.example' }])
    expect(places.take('ann', 'quick.example')).not.toBeNull()
    expect(takeAll(places, 'bob', ['slow.example']).length).toBeGreaterThan(0)
  })
})

test('places that are given back are all there again', () => {
  const places = new Places()
  const taken = [...takeAll(places, 'ann', hostsOf('ann')), ...takeAll(places, 'bob', ['slow.example'])]
  for (const giveBack of taken) giveBack()
  expect(places.taken()).toEqual({ free: PLACES, owners: [], busy: [], full: [] })
})

test('a host that many owners wait for leaves half of the places to other hosts', () => {
  const places = new Places()
  for (let i = 0; i < 2 * PLACES; i++) places.take(`owner ${i}`, 'slow.example')
  expect(places.taken()).toMatchObject({ free: PLACES / 2, full: ['slow.example'] })
  expect(places.take('other', 'quick.example')).not.toBeNull()
})
