// The filters of a workspace's page, to its address and back.
import { expect, test } from 'vitest'
import {
  addressOf,
  filtersIn,
  openChannelQuery,
  queryOf,
  TEXT_MAX,
  withoutFilters,
} from '../../web/workspace/filter-address.ts'

test.each([
  { state: 'all', text: '', values: new Map() },
  { state: 'unread', text: '', values: new Map() },
  { state: 'waiting', text: 'éclair & co', values: new Map() },
  { state: 'all', text: '', values: new Map([['team', 'web & more']]) },
  {
    state: 'all',
    text: 'a=b',
    values: new Map(Object.entries({ channel: 'one', q: 'two', only: 'x', 'filter.q': '' })),
  },
] as const)('filters survive the address: %o', filters => {
  expect(filtersIn(queryOf(filters))).toEqual(filters)
  expect(filtersIn(addressOf('', openChannelQuery('an id'), queryOf(filters)))).toEqual(filters)
})

test('the same filters give the same query in any order', () => {
  const filters = { team: 'web', stage: 'live' }
  const one = queryOf({ state: 'all', text: ' deploys ', values: new Map(Object.entries(filters)) })
  const other = queryOf({ state: 'all', text: 'deploys', values: new Map(Object.entries(filters).reverse()) })
  expect(one).toBe('q=deploys&filter.stage=live&filter.team=web')
  expect(other).toBe(one)
})

test('no filters leave nothing in the address', () => {
  expect(addressOf('/w/demo', '', queryOf({ state: 'all', text: '  ', values: new Map() }))).toBe('/w/demo')
  expect(addressOf('/w/demo', openChannelQuery('a/b'), '')).toBe('/w/demo?channel=a%2Fb')
})

test('other parameters of the address stay', () => {
  expect(withoutFilters('?channel=a%2Fb&only=unread&q=deploys&show=you&filter.team=web')).toBe(
    'channel=a%2Fb&show=you',
  )
})

test('an unknown state means all channels', () => {
  expect(filtersIn('?only=everything').state).toBe('all')
})

test('an address stays short even with pasted text', () => {
  expect(filtersIn(queryOf({ state: 'all', text: 'x'.repeat(5_000), values: new Map() })).text).toHaveLength(
    TEXT_MAX,
  )
  expect(filtersIn(`?q=${'x'.repeat(5_000)}`).text).toHaveLength(TEXT_MAX)
})
