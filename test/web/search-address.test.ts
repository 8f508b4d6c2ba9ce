// What one looks for among a workspace's channels, to its address and back.
import { expect, test } from 'vitest'
import { addressOf, queryOf, soughtIn, WORDS_MAX } from '../../web/workspace/search-address.ts'

test.each([
  { words: '', chosen: new Map() },
  { words: 'éclair & co', chosen: new Map() },
  { words: '', chosen: new Map([['team', 'web & more']]) },
  {
    words: 'a=b',
    chosen: new Map([
      ['channel', 'one'],
      ['q', 'two'],
      ['filter.q', ''],
    ]),
  },
])('what is written is read: %o', sought => {
  expect(soughtIn(queryOf(sought))).toEqual(sought)
  expect(soughtIn(addressOf('', 'an id', queryOf(sought)))).toEqual(sought)
})

test('one choice is one query, in whatever order it was made', () => {
  const one = queryOf({
    words: ' deploys ',
    chosen: new Map([
      ['team', 'web'],
      ['stage', 'live'],
    ]),
  })
  const other = queryOf({
    words: 'deploys',
    chosen: new Map([
      ['stage', 'live'],
      ['team', 'web'],
    ]),
  })
  expect(one).toBe('q=deploys&filter.stage=live&filter.team=web')
  expect(other).toBe(one)
})

test('nothing looked for leaves nothing in the address', () => {
  expect(addressOf('/w/demo', undefined, queryOf({ words: '  ', chosen: new Map() }))).toBe('/w/demo')
  expect(addressOf('/w/demo', 'a/b', '')).toBe('/w/demo?channel=a%2Fb')
})

test('an address stays short, whatever was pasted', () => {
  expect(soughtIn(queryOf({ words: 'x'.repeat(5_000), chosen: new Map() })).words).toHaveLength(WORDS_MAX)
  expect(soughtIn(`?q=${'x'.repeat(5_000)}`).words).toHaveLength(WORDS_MAX)
})
