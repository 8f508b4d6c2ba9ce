// Who the page lets decide, before the server judges.
import { expect, test } from 'vitest'
import type { Decision } from '../../shared/decision.ts'
import { mayDecide, type Permission, type Viewer } from '../../web/card/decision/may-decide.ts'

const OWNER: Viewer = { you: { kind: 'owner', name: 'Ann' }, may_decide: [] }
const USER: Viewer = { you: { kind: 'user', name: 'Sam' }, may_decide: [] }
const GUEST: Viewer = { you: { kind: 'anonymous', name: null }, may_decide: [] }

test.each<[Decision['who'], guest: Permission, user: Permission, owner: Permission]>([
  ['anyone', 'yes', 'yes', 'yes'],
  ['signed_in', 'sign_in', 'yes', 'yes'],
  ['members', 'sign_in', 'no', 'yes'],
  ['owner', 'sign_in', 'no', 'yes'],
  ['listed', 'sign_in', 'unknown', 'unknown'],
])('the page knows who may decide a question for %s', (who, guest, user, owner) => {
  const may = (viewer: Viewer | undefined) => mayDecide({ who, id: 'asked' }, viewer)
  expect([may(GUEST), may(USER), may(OWNER)]).toEqual([guest, user, owner])
  expect(may(undefined)).toBe(who === 'anyone' ? 'yes' : 'unknown')
})

test('a listed person may decide, and beyond what the list holds the server judges', () => {
  const listed = { who: 'listed', id: 'asked' } as const
  expect(mayDecide(listed, { ...USER, may_decide: ['asked'] })).toBe('yes')
  const many = Array.from({ length: 200 }, (_, i) => `other ${i}`)
  expect(mayDecide(listed, { ...USER, may_decide: many })).toBe('yes')
})
