// What a few letters find, and in which order.
import { describe, expect, test } from 'vitest'
import { fuzzyScore } from '../../web/lib/fuzzy.ts'
import type { PaletteItem } from '../../web/shell/palette-items.ts'
import { rankItems } from '../../web/shell/palette-rank.ts'

describe('letters fit a name', () => {
  test.each([
    ['dep', 'Deploys'],
    ['DEPLOYS', 'deploys'],
    ['pay al', 'Payments alerts'],
    ['al pay', 'Payments alerts'],
    ['uberwachung', 'Überwachung'],
    ['pmt', 'Payments'],
    ['日本', '日本語のチャンネル'],
    ['', 'Anything'],
  ])('%j finds %s', (query, name) => {
    expect(fuzzyScore(query, name)).not.toBeNull()
  })

  test.each([
    ['x', 'Deploys'],
    ['tnm', 'Payments'],
    ['deploys now', 'Deploys'],
    ['mts', 'Payments'],
    ['new', 'Nairobi 4 Everything that the company runs everywhere'],
  ])('%j does not find %s', (query, name) => {
    expect(fuzzyScore(query, name)).toBeNull()
  })

  test('whole before start, start before a word, a word before within, within before scattered', () => {
    const names = ['log', 'Logs of deploys', 'The log', 'Catalogue', 'l-o-g']
    const scores = names.map(name => fuzzyScore('log', name) ?? 0)
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
    expect(new Set(scores).size).toBe(names.length)
  })
})

describe('what is shown', () => {
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

  test('all of it in groups while nothing is typed', () => {
    expect(names('')).toEqual([
      ['Channels', 'a', 'b'],
      ['Pages', 'u'],
      ['Actions', 'k'],
    ])
  })

  test('what was used last comes first, but for what is open', () => {
    const recent = new Map([
      ['a', 3],
      ['b', 2],
      ['u', 1],
    ])
    expect(names('', recent, 'a')).toEqual([
      ['Recent', 'b', 'u'],
      ['Channels', 'a'],
      ['Actions', 'k'],
    ])
  })

  test('a name comes before other words for it, and nothing is shown where nothing fits', () => {
    expect(names('quota')).toEqual([['Found', 'u']])
    expect(names('us')).toEqual([['Found', 'u']])
    expect(names('zzz')).toEqual([])
  })

  test('of two that fit alike, the one that was used', () => {
    const two = [item('one', 'Channels', 'Same'), item('two', 'Channels', 'Same')]
    const [found] = rankItems('same', two, new Map([['two', 1]]), () => false)
    expect(found?.items.map(({ id }) => id)).toEqual(['two', 'one'])
  })
})
