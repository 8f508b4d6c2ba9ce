// As whom the builder's preview shows a question.
import { expect, test } from 'vitest'
import { makePreviewCards } from '../../../web/builder/preview-card.ts'
import { type Deciders, ownerMayDecide, PREVIEW, previewViewer } from '../../../web/builder/preview-viewer.ts'
import { mayDecide } from '../../../web/card/decision/may-decide.ts'

const OWNER = 'Owner@example.com'

const askedOf = (...whos: unknown[]) => {
  const blocks = whos.map((who, i) => ({
    type: 'button',
    buttons: [{ id: `ok-${i}`, label: 'OK' }],
    decision: { who },
  }))
  return makePreviewCards()({ blocks }, [...blocks.keys()]).asked
}

test.each<[unknown[], Deciders[], boolean]>([
  [[], [], true],
  [[undefined], [], true],
  [['anyone'], [], true],
  [['owner'], ['owner'], true],
  [['anyone', 'members'], ['members'], true],
  [[['ann@example.com']], [['ann@example.com']], false],
  [[['ann@example.com', ' OWNER@Example.com ']], [['ann@example.com', 'owner@example.com']], true],
  [['signed_in', ['ann@example.com']], ['signed_in', ['ann@example.com']], false],
])('of questions for %j the preview asks %j, and the owner may decide them: %s', (whos, asked, may) => {
  expect(askedOf(...whos)).toEqual(asked)
  expect(ownerMayDecide(askedOf(...whos), OWNER)).toBe(may)
})

test.each(['signed_in', 'members', 'owner', 'listed'] as const)(
  'somebody who may decide a question for %s can press, and somebody who may not can’t',
  who => {
    const asked: Deciders[] = [who === 'listed' ? ['ann@example.com'] : who]
    const permission = (may: boolean) => mayDecide({ id: PREVIEW, who }, previewViewer(asked, may, 'Owner'))
    expect(permission(true)).toBe('yes')
    expect(permission(false)).not.toBe('yes')
  },
)
