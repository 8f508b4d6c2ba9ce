// The builder without a screen: history, values, blocks that keep their rows, the preview, and links.
import { createRoot } from 'solid-js'
import { describe, expect, test } from 'vitest'
import { createBuilder } from '../../../web/builder/builder.ts'
import { carryKeys, duplicateOf, freeId, setIn } from '../../../web/builder/card-value.ts'
import { EMPTY } from '../../../web/builder/composition.ts'
import { createHistory } from '../../../web/builder/history.ts'
import { makePreviewCards } from '../../../web/builder/preview-card.ts'
import { linkOf, readFragment } from '../../../web/builder/share-link.ts'

describe('history', () => {
  test('undo and redo step through the values, and a new value ends redo', () => {
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
    for (let i = 0; i < 3; i++) history.undo()
    expect([history.now(), history.canUndo()]).toEqual(['a', false])
  })

  test('quick changes of one kind join into one step', () => {
    let now = 0
    const history = createHistory('', () => now)
    for (const word of ['o', 'on', 'one']) {
      now += 200
      history.set(word, 'title')
    }
    now += 5_000
    history.set('one t', 'title')
    history.set('one t!', 'other')
    for (const before of ['one t', 'one', '']) {
      history.undo()
      expect(history.now()).toBe(before)
    }
  })

  test('correct changes past steps too', () => {
    const history = createHistory(1)
    history.set(2)
    history.correct(step => step * 10)
    history.undo()
    expect(history.now()).toBe(10)
  })
})

describe('a card value', () => {
  test('setIn changes one path and nothing else', () => {
    const before = { blocks: [{ id: 'a' }, { id: 'b', rows: [1] }] }
    const after = setIn(before, ['blocks', 1, 'rows', 0], 2)
    expect(after).toEqual({ blocks: [{ id: 'a' }, { id: 'b', rows: [2] }] })
    expect(before.blocks[1]).toEqual({ id: 'b', rows: [1] })
    expect(setIn(before, ['blocks', 0, 'id'], undefined)).toEqual({ blocks: [{}, { id: 'b', rows: [1] }] })
    expect(setIn([], ['status'], 'error')).toEqual({ status: 'error' })
  })

  test('a duplicate gets new ids', () => {
    const block = { type: 'button', id: 'b', buttons: [{ id: 'go' }, { id: 'go-2' }] }
    const duplicate = { type: 'button', id: 'b-2', buttons: [{ id: 'go-3' }, { id: 'go-4' }] }
    expect(duplicateOf(block, [block])).toEqual(duplicate)
    expect(freeId('text', ['text', 'text-2'])).toBe('text-3')
    const longest = 'i'.repeat(100)
    expect(freeId(longest, [longest])).toHaveLength(95)
    expect(freeId(longest, ['i'.repeat(95)])).toBe(`${'i'.repeat(95)}-2`)
  })

  test('blocks keep their keys while the JSON is edited', () => {
    let next = 10
    const fresh = () => next++
    const before = {
      blocks: [{ type: 'text', id: 'a' }, { type: 'divider' }, { type: 'kv', id: 'c' }],
      keys: [1, 2, 3],
    }
    const after = [{ type: 'kv', id: 'c' }, { type: 'divider' }, { type: 'text', id: 'new' }]
    expect(carryKeys(before, after, fresh)).toEqual([3, 2, 10])
    const renamed = [{ type: 'text', id: 'renamed' }, ...before.blocks.slice(1)]
    expect(carryKeys(before, renamed, fresh)).toEqual([1, 2, 3])
  })
})

describe('the builder', () => {
  const build = (text: string) => createRoot(() => createBuilder({ text, card: null }))

  test('the builder edits fields, and leaves out values that the service fills in', () => {
    const builder = build('{"blocks":[{"type":"text","content":"a"}]}')
    builder.edit(['blocks', 0, 'size'], 'xl')
    expect(JSON.parse(builder.text())).toEqual({ blocks: [{ type: 'text', content: 'a', size: 'xl' }] })
    builder.edit(['blocks', 0, 'size'], 'md')
    builder.edit(['status'], 'default')
    expect(JSON.parse(builder.text())).toEqual({ blocks: [{ type: 'text', content: 'a' }] })
  })

  test('the builder keeps the blocks while the text is not JSON', () => {
    const builder = build('{"blocks":[{"type":"divider"}]}')
    builder.setText('{"blocks":[{"type":"divider"}')
    expect(builder.malformed()?.message).toBe('Invalid JSON')
    expect(builder.blocks()).toEqual([{ type: 'divider' }])
    builder.undo()
    expect(builder.malformed()).toBeUndefined()
  })

  test('undo brings a deleted block back in its row', () => {
    const builder = build('{"blocks":[{"type":"divider","id":"a"},{"type":"divider","id":"b"}]}')
    const keys = builder.keys()
    builder.remove(0)
    expect(builder.blocks()).toHaveLength(1)
    builder.undo()
    expect(builder.keys()).toEqual(keys)
    builder.startOver()
    expect(builder.text()).toBe(EMPTY.text)
  })

  test('the builder reorders the blocks by their keys', () => {
    const builder = build('{"blocks":[{"id":"a"},{"id":"b"},{"id":"c"}]}')
    const [a = 0, b = 0, c = 0] = builder.keys()
    builder.reorder([b, c, a])
    expect(builder.keys()).toEqual([b, c, a])
    expect(builder.blocks()).toEqual([{ id: 'b' }, { id: 'c' }, { id: 'a' }])
  })
})

describe('the preview', () => {
  test('the preview keeps the last valid version of a block, with the same ids every time', () => {
    const previewOf = makePreviewCards()
    const good = { blocks: [{ type: 'badge', label: 'One' }, { type: 'divider' }] }
    const first = previewOf(good, [1, 2])
    const blocks = [{ label: 'One' }, { type: 'divider' }]
    expect(first).toMatchObject({ wrong: 0, status: 'default', blocks })
    const bad = { status: 'what', blocks: [{ type: 'badge', label: '' }, { type: 'divider' }] }
    expect(previewOf(bad, [1, 2])).toEqual({ ...first, wrong: 1 })
    const never = previewOf({ blocks: [{ type: 'nothing' }] }, [3])
    expect(never).toEqual({ status: 'default', blocks: [], asked: [], wrong: 1, missing: 1 })
  })

  test('the preview has no duplicate ids', () => {
    const divider = { type: 'divider', id: 'x' }
    const { blocks } = makePreviewCards()({ blocks: [divider, divider] }, [1, 2])
    expect(new Set(blocks.map(({ id }) => id)).size).toBe(2)
  })
})

describe('a link', () => {
  test('a link holds the text of a card', async () => {
    const text = JSON.stringify({ blocks: [{ type: 'text', content: 'ünïcödé 🚆 \n"'.repeat(500) }] })
    const { pathname, hash } = new URL(await linkOf(text, 'https://feed.example'))
    expect(pathname).toBe('/dashboard/builder')
    expect(hash.length).toBeLessThan(400)
    expect(await readFragment(hash)).toBe(text)
  })

  test.each(['', '#else', '#card=', '#card=%%%', '#card=AAAA'])(
    'the link %j holds no card',
    async fragment => {
      expect((await readFragment(fragment)) || null).toBe(null)
    },
  )

  test('a link that unpacks to more than a card holds none', async () => {
    const link = await linkOf(' '.repeat(3_000_000), 'https://feed.example').catch(() => 'https://x')
    expect(await readFragment(new URL(link).hash)).toBe(null)
  })
})
