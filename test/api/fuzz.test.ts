// Bodies with wrong types never cause a 500, and rejected bodies change nothing.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { everyField, everyPatch } from '../support/card-patches.ts'
import { createTestChannel, pushCard, readCard, readDocumentCards } from '../support/cards.ts'
import { forAllAsync } from '../support/for-all.ts'
import { runWithOwner } from '../support/running.ts'
import type { Call } from '../support/service.ts'

const RUNS = 150

const { service, ann } = await runWithOwner({ WORKSPACE_LIMIT: '0' })
const cards = await createTestChannel(ann)

const channel = {
  name: 'C',
  description: 'x',
  mode: 'view',
  icon: '🚀',
  webhook_url: 'http://a.b',
  attributes: { a: 'b' },
}

const words = [
  '__proto__',
  'constructor',
  'toString',
  'length',
  '\0',
  '\ud800',
  '😀'.repeat(40),
  '-1',
  '{}',
  'null',
]
const strange = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -0, 1.5, 1e308, -1, 2 ** 53, '', [], {}, [[]], [null], { id: {} }),
  fc.constantFrom(...words),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.jsonValue({ maxDepth: 3 }),
  fc.dictionary(fc.constantFrom(...words, 'id', 'type', 'patch', 'value'), fc.jsonValue({ maxDepth: 1 })),
)

/** A valid body with one to three values replaced, deleted or added; or something else. */
const spoiled = (good: object) => fc.oneof({ weight: 9, arbitrary: changed(good) }, strange)

const changed = (good: object) =>
  fc
    .array(fc.tuple(fc.nat(), strange, fc.constantFrom('set', 'delete', 'add')), {
      minLength: 1,
      maxLength: 3,
    })
    .map(changes => {
      const body: object = structuredClone(good)
      for (const [at, value, how] of changes) {
        const places = placesOf(body)
        const place = places[at % places.length]
        if (!place) continue
        const strange = structuredClone(value)
        if (how === 'delete') Reflect.deleteProperty(place.holder, place.name)
        else if (how === 'set') define(place.holder, place.name, strange)
        else
          define(
            place.holder,
            Array.isArray(place.holder) ? place.holder.length : String(at % 3 ? 'x' : '__proto__'),
            strange,
          )
      }
      return body
    })

function define(holder: object, name: PropertyKey, value: unknown): void {
  Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true })
}

function placesOf(holder: object): { holder: object; name: string }[] {
  return Object.entries(holder).flatMap(([name, value]) => [
    { holder, name },
    ...(typeof value === 'object' && value !== null ? placesOf(value) : []),
  ])
}

async function neverFails(call: Call, method: string, path: string, body: unknown): Promise<number> {
  const response = await call(method, path, JSON.stringify(body) ?? 'null')
  expect(response.status).toBeLessThan(500)
  if (response.status >= 400) {
    expect(Object.keys(response.body)).toEqual(['error'])
    expect(response.body.error).toEqual(expect.any(String))
    expect(String(response.body.error)).not.toMatch(/\[object|undefined|NaN|expected|Invalid input/)
  }
  return response.status
}

/** Everything that a rejected request could have changed. */
const everything = () => service.sql`
  select (select count(*) from cards) as cards, (select json_agg(c order by id) from channels c) as channels,
    (select json_agg(w order by id) from workspaces w) as workspaces, (select count(*) from api_keys) as keys,
    (select json_agg(a order by id) from header_actions a) as actions, (select sum(seq) from documents) as turns,
    (select json_agg(a order by channel_id, key) from channel_attributes a) as attributes,
    (select json_agg(s order by key) from attribute_settings s) as settings`

describe('a spoiled body', () => {
  const path = () => cards.replace('/cards', '')
  const workspace = () => `/workspaces/${ann.workspace_id}`
  const look = {
    icon: '🚀',
    visibility: 'protected',
    password: 'x'.repeat(8),
    layout: 'grid',
    show_search: true,
    custom_slug: 'a-b-c',
  }
  const ROUTES: [string, object, () => [Call, string, string]][] = [
    ['POST cards', { status: 'error', blocks: everyField }, () => [ann.key, 'POST', cards]],
    ['PUT by-key', { blocks: everyField }, () => [ann.session, 'PUT', `${cards}/by-key/fuzz`]],
    ['POST channels', channel, () => [ann.key, 'POST', '/channels']],
    ['PATCH channel', channel, () => [ann.key, 'PATCH', path()]],
    [
      'POST actions',
      { label: 'Go', style: 'danger', position: 1 },
      () => [ann.key, 'POST', `${path()}/actions`],
    ],
    ['PUT attributes', { a: 'b', C: '' }, () => [ann.key, 'PUT', `${path()}/attributes`]],
    ['POST workspaces', { name: 'W', icon: '🚀' }, () => [ann.session, 'POST', '/workspaces']],
    ['PATCH workspace', { name: 'W', ...look }, () => [ann.session, 'PATCH', workspace()]],
    [
      'PUT attribute-settings',
      { key: 'a', use_as_filter: true, show_in_sidebar: false },
      () => [ann.session, 'PUT', `${workspace()}/attribute-settings`],
    ],
    [
      'POST api-keys',
      { name: 'K', scope: 'read', expires_at: '2999-01-01' },
      () => [ann.session, 'POST', '/api-keys'],
    ],
  ]

  test.each(ROUTES)('a spoiled body never fails the service: %s', async (_, good, route) => {
    const [call, method, at] = route()
    const body = at === '/channels' ? { ...good, workspace_id: ann.workspace_id } : good
    expect(await neverFails(call, method, at, body)).toBeLessThan(300)
    const check = async (bad: unknown) => {
      const before = await everything()
      if ((await neverFails(call, method, at, bad)) >= 400) expect(await everything()).toStrictEqual(before)
    }
    await forAllAsync(spoiled(body), check, RUNS)
  })

  test('a spoiled PATCH of a card never fails the service', async () => {
    const path = await pushCard(ann.key, cards, { blocks: everyField })
    expect(await neverFails(ann.key, 'PATCH', path, everyPatch)).toBe(200)
    const check = async (bad: unknown) => {
      const before = await readCard(ann.key, path)
      if ((await neverFails(ann.key, 'PATCH', path, bad)) >= 400)
        expect(await readCard(ann.key, path)).toStrictEqual(before)
    }
    await forAllAsync(spoiled(everyPatch), check, RUNS)
    const after = await readCard(ann.key, path)
    const shown = (await readDocumentCards(ann, cards)).find(({ id }) => id === after.id)
    if (shown) expect(shown).toStrictEqual({ ...after, position: expect.any(Number) })
  })
})
