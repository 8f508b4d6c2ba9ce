// Which channels of a workspace match the filters.
import { describe, expect, test } from 'vitest'
import {
  availableValues,
  filterGroups,
  hasValues,
  labelsOf,
  matchesText,
} from '../../web/workspace/matching.ts'

const channel = (attributes: Record<string, string>) => ({ name: 'Deploys', description: null, attributes })
const setting = (key: string, use_as_filter = true, show_in_sidebar = false) => ({
  key,
  use_as_filter,
  show_in_sidebar,
})

describe('text', () => {
  const attributes = { team: 'Zürich' }
  const searched = { name: 'Éclair orders', description: 'What the bakery sells', attributes }

  test.each(['', '  ', 'eclair', 'ÉCLAIR', 'bakery', 'zurich', 'orders zur', 'sells eclair', ' order '])(
    '“%s” matches',
    words => expect(matchesText(searched, words)).toBe(true),
  )

  test.each(['tart', 'orders tart', 'team'])('“%s” doesn’t match', words => {
    expect(matchesText(searched, words)).toBe(false)
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

  /** Each group as its key and values, such as “live 2”, with a star if the value is chosen. */
  const groupsOf = (...args: Parameters<typeof filterGroups>) =>
    filterGroups(...args).map(({ key, values }) => [
      key,
      ...values.map(({ value, count, chosen }) => `${value} ${count}${chosen ? ' *' : ''}`),
    ])

  test('each filter key that a channel has gets a group with values and counts', () => {
    expect(groupsOf(settings, channels, all, new Map())).toEqual([
      ['stage', 'live 2', 'test 1'],
      ['team', 'data 1', 'web 2'],
    ])
  })

  test('a count respects the chosen values of other groups', () => {
    expect(groupsOf(settings, channels, all, new Map([['team', 'data']]))).toEqual([
      ['stage', 'live 1', 'test 0'],
      ['team', 'data 1 *', 'web 2'],
    ])
  })

  test('a search changes counts but hides no values, so that a chosen one can be cleared', () => {
    const groups = groupsOf(settings, channels, one => one.attributes.team === 'data', new Map())
    expect(groups[1]).toEqual(['team', 'data 1', 'web 0'])
  })

  test('values are sorted with numbers in numeric order', () => {
    const numbered = ['v10', 'v2', 'V1'].map(version => channel({ version }))
    const groups = groupsOf([setting('version')], numbered, all, new Map())
    expect(groups).toEqual([['version', 'V1 1', 'v2 1', 'v10 1']])
  })

  test('groups combine with and', () => {
    const chosen = new Map(Object.entries({ team: 'web', stage: 'live' }))
    expect(channels.filter(one => hasValues(one, chosen))).toEqual([channels[0]])
    expect(channels.filter(one => hasValues(one, new Map()))).toEqual(channels)
  })

  test('a chosen value that is no filter or that no channel has is dropped', () => {
    const chosen = new Map(Object.entries({ team: 'web', stage: 'gone', region: 'eu' }))
    expect([...availableValues(settings, channels, chosen)]).toEqual([['team', 'web']])
  })
})

test('labels are the values of visible keys, in their order', () => {
  const settings = [setting('owner', false, true), setting('stage', true, false), setting('team', true, true)]
  expect(labelsOf(settings, channel({ team: 'web', stage: 'live', other: 'x' }))).toEqual([
    { key: 'team', value: 'web' },
  ])
})

test('a key such as constructor is an ordinary attribute', () => {
  const settings = [setting('constructor', true, true)]
  expect(labelsOf(settings, channel({}))).toEqual([])
  expect(filterGroups(settings, [channel({})], () => true, new Map())).toEqual([])
  expect(labelsOf(settings, channel({ constructor: 'Ann' }))).toEqual([{ key: 'constructor', value: 'Ann' }])
})
