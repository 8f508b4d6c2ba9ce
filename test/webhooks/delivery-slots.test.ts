// Delivery slots: an owner may hold as many as are still free, overall and at each host.
import { describe, expect, test } from 'vitest'
import { DeliverySlots, SLOTS, type Slot } from '../../server/webhooks/delivery-slots.ts'

/** Takes slots at these hosts in turn until the owner gets no more. */
function takeAll(slots: DeliverySlots, owner: string, hosts: string[]): Slot[] {
  const taken: Slot[] = []
  for (let missed = 0, i = 0; missed < hosts.length; i++) {
    const slot = slots.take(owner, hosts[i % hosts.length] ?? '')
    if (slot) taken.push(slot)
    missed = slot ? 0 : missed + 1
  }
  return taken
}

const hostsOf = (owner: string) => Array.from({ length: 10 }, (_, i) => `${i}.${owner}.example`)

describe('an owner that takes every slot it can get', () => {
  test.each([1, 2, 3, 7])(
    'an owner that takes every slot it can get gets an equal part with %i such owners',
    count => {
      const slots = new DeliverySlots()
      const owners = Array.from({ length: count }, (_, i) => `owner ${i}`)
      // One slot each in turn: the order in which claims serve owners.
      const held = new Map(owners.map(owner => [owner, 0]))
      for (let given = true; given; ) {
        given = false
        for (const owner of owners) {
          const n = held.get(owner) ?? 0
          if (!slots.take(owner, `${n % 10}.${owner}.example`)) continue
          held.set(owner, n + 1)
          given = true
        }
      }
      const part = SLOTS / (count + 1)
      for (const n of held.values()) expect(Math.abs(n - part)).toBeLessThanOrEqual(1)
      expect(slots.usage().free).toBeGreaterThanOrEqual(Math.floor(part))
      expect(slots.take('other', 'other.example')).not.toBeNull()
    },
  )

  test('an owner that takes every slot it can get gets a quarter of the slots at one host, and other owners still get some there', () => {
    const slots = new DeliverySlots()
    expect(takeAll(slots, 'ann', ['slow.example'])).toHaveLength(SLOTS / 4)
    expect(slots.usage().busy).toEqual([{ owner_id: 'ann', host: 'slow.example' }])
    expect(slots.take('ann', 'quick.example')).not.toBeNull()
    expect(takeAll(slots, 'bob', ['slow.example']).length).toBeGreaterThan(0)
  })
})

test('released slots are free again', () => {
  const slots = new DeliverySlots()
  const taken = [...takeAll(slots, 'ann', hostsOf('ann')), ...takeAll(slots, 'bob', ['slow.example'])]
  for (const slot of taken) slot.release()
  expect(slots.usage()).toEqual({ free: SLOTS, owners: [], busy: [], full: [] })
})

test('a host that many owners wait for leaves half of the slots to other hosts', () => {
  const slots = new DeliverySlots()
  for (let i = 0; i < 2 * SLOTS; i++) slots.take(`owner ${i}`, 'slow.example')
  expect(slots.usage()).toMatchObject({ free: SLOTS / 2, full: ['slow.example'] })
  expect(slots.take('other', 'quick.example')).not.toBeNull()
})
