// Which channels of a workspace are shown for what one looks for.
import { describe, expect, test } from 'vitest'
import { filterGroups, hasValues, labelsOf, matchesWords, stillChosen } from '../../web/workspace/matching.ts'

const channel = (
  attributes: Record<string, string>,
  name = 'Deploys',
  description: string | null = null,
) => ({
  name,
  description,
  attributes,
})
const setting = (key: string, use_as_filter = true, show_in_sidebar = false) => ({
  key,
  use_as_filter,
  show_in_sidebar,
})

describe('words', () => {
  const searched = channel({ team: 'Zürich' }, 'Éclair orders', 'What the bakery sells')

  test.each(['', '  ', 'eclair', 'ÉCLAIR', 'bakery', 'zurich', 'orders zur', 'sells eclair', ' order '])(
    '“%s” finds it',
    words => expect(matchesWords(searched, words)).toBe(true),
  )

  test.each(['tart', 'orders tart', 'team'])('“%s” does not', words => {
    expect(matchesWords(searched, words)).toBe(false)
  })
})

describe('filters', () => {
  const all = () => true
  const channels = [
    channel({ team: 'web', stage: 'live' }),
    channel({ team: 'web', stage: 'test' }),
    channel({ team: 'data', stage: 'live' }),
    channel({}),
  ]
  const settings = [setting('stage'), setting('team'), setting('owner'), setting('region', false)]

  test('a group for each key that is a filter and that a channel has, with its values and counts', () => {
    expect(filterGroups(settings, channels, all, new Map())).toEqual([
      {
        key: 'stage',
        values: [
          { value: 'live', count: 2, chosen: false },
          { value: 'test', count: 1, chosen: false },
        ],
      },
      {
        key: 'team',
        values: [
          { value: 'data', count: 1, chosen: false },
          { value: 'web', count: 2, chosen: false },
        ],
      },
    ])
  })

  test('a count tells what a press would show beside what is chosen in other groups', () => {
    const [stage, team] = filterGroups(settings, channels, all, new Map([['team', 'data']]))
    expect(stage?.values.map(({ value, count }) => [value, count])).toEqual([
      ['live', 1],
      ['test', 0],
    ])
    expect(team?.values).toEqual([
      { value: 'data', count: 1, chosen: true },
      { value: 'web', count: 2, chosen: false },
    ])
  })

  test('what is searched for counts too, and hides no value: a chosen one can still be let go', () => {
    const [, team] = filterGroups(settings, channels, one => one.attributes.team === 'data', new Map())
    expect(team?.values.map(({ value, count }) => [value, count])).toEqual([
      ['data', 1],
      ['web', 0],
    ])
  })

  test('values stand in the order that people count in', () => {
    const numbered = ['v10', 'v2', 'V1'].map(version => channel({ version }))
    const [group] = filterGroups([setting('version')], numbered, all, new Map())
    expect(group?.values.map(({ value }) => value)).toEqual(['V1', 'v2', 'v10'])
  })

  test('groups combine with and', () => {
    expect(
      channels.filter(one => hasValues(one, new Map(Object.entries({ team: 'web', stage: 'live' })))),
    ).toEqual([channels[0]])
    expect(channels.filter(one => hasValues(one, new Map()))).toEqual(channels)
  })

  test('a choice that is no filter any more, or that no channel has, is let go', () => {
    const chosen = new Map(Object.entries({ team: 'web', stage: 'gone', region: 'eu' }))
    expect([...stillChosen(settings, channels, chosen)]).toEqual([['team', 'web']])
  })
})

test('labels are the values of the keys that are shown, in their order', () => {
  const settings = [setting('owner', false, true), setting('stage', true, false), setting('team', true, true)]
  expect(labelsOf(settings, channel({ team: 'web', stage: 'live', other: 'x' }))).toEqual([
    { key: 'team', value: 'web' },
  ])
})

test('a key that has the name of what every object has is an attribute like others', () => {
  const settings = [setting('constructor', true, true)]
  expect(labelsOf(settings, channel({}))).toEqual([])
  expect(filterGroups(settings, [channel({})], () => true, new Map())).toEqual([])
  expect(labelsOf(settings, channel({ constructor: 'Ann' }))).toEqual([{ key: 'constructor', value: 'Ann' }])
})
