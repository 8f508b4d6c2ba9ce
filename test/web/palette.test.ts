// The palette: what a query finds, and in which order.
import { describe, expect, test } from 'vitest'
import { fuzzyScore } from '../../web/lib/fuzzy.ts'
import type { PaletteItem } from '../../web/shell/palette-items.ts'
import { rankItems } from '../../web/shell/palette-rank.ts'

describe('fuzzyScore', () => {
  test.each([
    ['dep', 'Deploys'],
    ['DEPLOYS', 'deploys'],
    ['pay al', 'Payments alerts'],
    ['al pay', 'Payments alerts'],
    ['uberwachung', 'Überwachung'],
    ['pmt', 'Payments'],
    ['日本', '日本語のチャンネル'],
    ['', 'Anything'],
  ])('%j matches %s', (query, name) => {
    expect(fuzzyScore(query, name)).not.toBeNull()
  })

  test.each([
    ['x', 'Deploys'],
    ['tnm', 'Payments'],
    ['deploys now', 'Deploys'],
    ['mts', 'Payments'],
    ['new', 'Nairobi 4 Everything that the company runs everywhere'],
  ])('%j does not match %s', (query, name) => {
    expect(fuzzyScore(query, name)).toBeNull()
  })

  test('a whole match beats a start, then the start of a word, the inside of a word, scattered letters', () => {
    const names = ['log', 'Logs of deploys', 'The log', 'Catalogue', 'l-o-g']
    const scores = names.map(name => fuzzyScore('log', name) ?? 0)
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
    expect(new Set(scores).size).toBe(names.length)
  })
})

describe('rankItems', () => {
  const item = (id: string, group: PaletteItem['group'], name: string, also?: string): PaletteItem => ({
    id,
    group,
    name,
    also,
    does: { href: `/${id}` },
  })
  const items = [
    item('a', 'Channels', 'Alerts'),
    item('b', 'Channels', 'Builds'),
    item('u', 'Pages', 'Usage', 'limits quota'),
    item('k', 'Actions', 'New API key'),
  ]
  const names = (query: string, recent = new Map<string, number>(), here = '') =>
    rankItems(query, items, recent, ({ id }) => id === here).map(({ heading, items }) => [
      heading,
      ...items.map(({ id }) => id),
    ])

  test('an empty query lists everything in groups', () => {
    expect(names('')).toEqual([
      ['Channels', 'a', 'b'],
      ['Pages', 'u'],
      ['Actions', 'k'],
    ])
  })

  test('recent items come first, without the open page', () => {
    const recent = new Map(Object.entries({ a: 3, b: 2, u: 1 }))
    expect(names('', recent, 'a')).toEqual([
      ['Recent', 'b', 'u'],
      ['Channels', 'a'],
      ['Actions', 'k'],
    ])
  })

  test('a query finds names and other words; without a match the list is empty', () => {
    expect(names('quota')).toEqual([['Found', 'u']])
    expect(names('us')).toEqual([['Found', 'u']])
    expect(names('zzz')).toEqual([])
  })

  test('of two equal matches, the used one comes first', () => {
    const two = [item('one', 'Channels', 'Same'), item('two', 'Channels', 'Same')]
    const [found] = rankItems('same', two, new Map([['two', 1]]), () => false)
    expect(found?.items.map(({ id }) => id)).toEqual(['two', 'one'])
  })
})
