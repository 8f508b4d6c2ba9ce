// Composing without a screen: steps back and forth, blocks that keep their rows, what the preview shows, and links.
import { createRoot } from 'solid-js'
import { describe, expect, test } from 'vitest'
import { createBuilder, EMPTY } from '../../../web/builder/builder.ts'
import { carryKeys, duplicateOf, freeId, moved, setIn } from '../../../web/builder/card-value.ts'
import { createHistory } from '../../../web/builder/history.ts'
import { makeShown } from '../../../web/builder/preview-feed.ts'
import { linkOf, readFragment } from '../../../web/builder/share-link.ts'

describe('steps', () => {
  test('are taken back and brought again, and a new one ends what was taken back', () => {
    const history = createHistory('a')
    history.set('b')
    history.set('c')
    history.undo()
    expect([history.now(), history.canUndo(), history.canRedo()]).toEqual(['b', true, true])
    history.redo()
    expect(history.now()).toBe('c')
    history.undo()
    history.set('d')
    expect([history.now(), history.canRedo()]).toEqual(['d', false])
    history.undo()
    history.undo()
    history.undo()
    expect([history.now(), history.canUndo()]).toEqual(['a', false])
  })

  test('of one kind that follow each other at once are one step', () => {
    let now = 0
    const history = createHistory('', () => now)
    for (const word of ['o', 'on', 'one']) {
      now += 200
      history.set(word, 'title')
    }
    now += 5_000
    history.set('one t', 'title')
    history.set('one t!', 'other')
    history.undo()
    expect(history.now()).toBe('one t')
    history.undo()
    expect(history.now()).toBe('one')
    history.undo()
    expect(history.now()).toBe('')
  })

  test('keep what is known better by now', () => {
    const history = createHistory(1)
    history.set(2)
    history.correct(step => step * 10)
    history.undo()
    expect(history.now()).toBe(10)
  })
})

describe('a value', () => {
  test('changes on a path, and nothing else does', () => {
    const before = { blocks: [{ id: 'a' }, { id: 'b', rows: [1] }] }
    const after = setIn(before, ['blocks', 1, 'rows', 0], 2)
    expect(after).toEqual({ blocks: [{ id: 'a' }, { id: 'b', rows: [2] }] })
    expect(before.blocks[1]).toEqual({ id: 'b', rows: [1] })
    expect(setIn(before, ['blocks', 0, 'id'], undefined)).toEqual({ blocks: [{}, { id: 'b', rows: [1] }] })
    expect(setIn([], ['status'], 'error')).toEqual({ status: 'error' })
  })

  test('a list is put in another order', () => {
    expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a'])
    expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b'])
  })

  test('a copy has ids of its own', () => {
    const block = { type: 'button', id: 'b', buttons: [{ id: 'go' }, { id: 'go-2' }] }
    expect(duplicateOf(block, [block])).toEqual({
      type: 'button',
      id: 'b-2',
      buttons: [{ id: 'go-3' }, { id: 'go-4' }],
    })
    expect(freeId('text', ['text', 'text-2'])).toBe('text-3')
    const longest = 'i'.repeat(100)
    expect(freeId(longest, [longest])).toHaveLength(95)
    expect(freeId(longest, ['i'.repeat(95)])).toBe(`${'i'.repeat(95)}-2`)
  })

  test('rows stay with their blocks while the JSON is edited', () => {
    let next = 10
    const fresh = () => next++
    const before = {
      blocks: [{ type: 'text', id: 'a' }, { type: 'divider' }, { type: 'kv', id: 'c' }],
      keys: [1, 2, 3],
    }
    const after = [{ type: 'kv', id: 'c' }, { type: 'divider' }, { type: 'text', id: 'new' }]
    expect(carryKeys(before, after, fresh)).toEqual([3, 2, 10])
    expect(carryKeys(before, [{ type: 'text', id: 'renamed' }, ...before.blocks.slice(1)], fresh)).toEqual([
      1, 2, 3,
    ])
  })
})

describe('the builder', () => {
  const build = (text: string) => createRoot(() => createBuilder({ text, card: null }))

  test('edits the text through its fields, and leaves out what the service fills in', () => {
    const builder = build('{"blocks":[{"type":"text","content":"a"}]}')
    builder.edit(['blocks', 0, 'size'], 'xl')
    expect(JSON.parse(builder.text())).toEqual({ blocks: [{ type: 'text', content: 'a', size: 'xl' }] })
    builder.edit(['blocks', 0, 'size'], 'md')
    builder.edit(['status'], 'default')
    expect(JSON.parse(builder.text())).toEqual({ blocks: [{ type: 'text', content: 'a' }] })
  })

  test('keeps the blocks while the text is no JSON', () => {
    const builder = build('{"blocks":[{"type":"divider"}]}')
    builder.write('{"blocks":[{"type":"divider"}')
    expect(builder.malformed()?.message).toBe('Invalid JSON')
    expect(builder.blocks()).toEqual([{ type: 'divider' }])
    builder.undo()
    expect(builder.malformed()).toBeUndefined()
  })

  test('brings a deleted block back in its row', () => {
    const builder = build('{"blocks":[{"type":"divider","id":"a"},{"type":"divider","id":"b"}]}')
    const keys = builder.keys()
    builder.remove(0)
    expect(builder.blocks()).toHaveLength(1)
    builder.undo()
    expect(builder.keys()).toEqual(keys)
    builder.startOver()
    expect(builder.text()).toBe(EMPTY.text)
  })
})

describe('the preview', () => {
  test('shows a block as it last was right, and the same ids every time', () => {
    const show = makeShown()
    const good = { blocks: [{ type: 'badge', label: 'One' }, { type: 'divider' }] }
    const first = show(good, [1, 2])
    expect(first).toMatchObject({
      wrong: 0,
      status: 'default',
      blocks: [{ label: 'One' }, { type: 'divider' }],
    })
    const bad = { status: 'what', blocks: [{ type: 'badge', label: '' }, { type: 'divider' }] }
    expect(show(bad, [1, 2])).toEqual({ ...first, wrong: 1 })
    const never = show({ blocks: [{ type: 'nothing' }] }, [3])
    expect(never).toEqual({ status: 'default', blocks: [], wrong: 1, missing: 1 })
  })

  test('has no id twice', () => {
    const divider = { type: 'divider', id: 'x' }
    const { blocks } = makeShown()({ blocks: [divider, divider] }, [1, 2])
    expect(new Set(blocks.map(({ id }) => id)).size).toBe(2)
  })
})

describe('a link', () => {
  test('holds the text of a card', async () => {
    const text = JSON.stringify({ blocks: [{ type: 'text', content: 'ünïcödé 🚆 \n"'.repeat(500) }] })
    const { pathname, hash } = new URL(await linkOf(text, 'https://feed.example'))
    expect(pathname).toBe('/dashboard/builder')
    expect(hash.length).toBeLessThan(400)
    expect(await readFragment(hash)).toBe(text)
  })

  test.each(['', '#else', '#card=', '#card=%%%', '#card=AAAA'])('%j holds none', async fragment => {
    expect((await readFragment(fragment)) || null).toBe(null)
  })

  test('that unpacks to more than a card is none', async () => {
    const { hash } = new URL(
      await linkOf(' '.repeat(3_000_000), 'https://feed.example').catch(() => 'https://x'),
    )
    expect(await readFragment(hash)).toBe(null)
  })
})
