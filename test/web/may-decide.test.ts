// Who the page lets decide, before the server judges, and whom it waits for.
import { expect, test } from 'vitest'
import type { Decision } from '../../shared/decision.ts'
import { chosenFor, lacksNames, mayDecide, type Permission } from '../../web/card/decision/may-decide.ts'
import { GUEST, isByOwner, type Viewer } from '../../web/data/viewer.ts'

const OWNER: Viewer = { ...GUEST, role: 'owner', you: { kind: 'owner', name: 'Ann' } }
const MEMBER: Viewer = { ...GUEST, role: 'member', you: { kind: 'member', name: 'Mia' } }
/** Of a public workspace, where anyone may act. */
const VIEWER: Viewer = { ...MEMBER, role: 'viewer' }
const USER: Viewer = { ...GUEST, you: { kind: 'user', name: 'Sam' } }

test.each<[Decision['who'], Record<'guest' | 'user' | 'viewer' | 'member' | 'owner', Permission>]>([
  ['anyone', { guest: 'yes', user: 'yes', viewer: 'yes', member: 'yes', owner: 'yes' }],
  ['signed_in', { guest: 'sign_in', user: 'yes', viewer: 'yes', member: 'yes', owner: 'yes' }],
  ['members', { guest: 'sign_in', user: 'no', viewer: 'no', member: 'yes', owner: 'yes' }],
  ['owner', { guest: 'sign_in', user: 'no', viewer: 'no', member: 'no', owner: 'yes' }],
  ['listed', { guest: 'sign_in', user: 'unknown', viewer: 'unknown', member: 'unknown', owner: 'unknown' }],
])('the page knows who may decide a question for %s', (who, permissions) => {
  const may = (viewer: Viewer | undefined) => mayDecide({ who, id: 'asked' }, viewer)
  const people = { guest: GUEST, user: USER, viewer: VIEWER, member: MEMBER, owner: OWNER }
  const found = Object.entries(people).map(([name, viewer]) => [name, may(viewer)])
  expect(Object.fromEntries(found)).toEqual(permissions)
  expect(may(undefined)).toBe(who === 'anyone' ? 'yes' : 'unknown')
})

test('a listed person may decide, and beyond what the list holds the server judges', () => {
  const listed = { who: 'listed', id: 'asked' } as const
  expect(mayDecide(listed, { ...USER, may_decide: ['asked'] })).toBe('yes')
  const many = Array.from({ length: 200 }, (_, i) => `other ${i}`)
  expect(mayDecide(listed, { ...USER, may_decide: many })).toBe('yes')
})

test('nobody decides without the right to act, not even a listed person', () => {
  for (const who of ['anyone', 'signed_in', 'members', 'listed'] as const)
    expect(mayDecide({ who, id: 'asked' }, { ...VIEWER, can_act: false, may_decide: ['asked'] })).toBe('no')
})

test('the page asks for the names of a new question, unless it may not see names or has as many as it can', () => {
  const asked = { who: 'listed', id: 'asked' } as const
  const named: Viewer = { ...MEMBER, chosen: { asked: ['Ann', 'Bob'] } }
  expect(chosenFor(asked, named)).toEqual(['Ann', 'Bob'])
  expect(lacksNames(asked, named)).toBe(false)
  expect(chosenFor(asked, USER)).toEqual([])
  expect(lacksNames(asked, USER)).toBe(false)
  expect(lacksNames(asked, { ...MEMBER, chosen: {} })).toBe(true)
  expect(lacksNames({ ...asked, who: 'owner' }, { ...MEMBER, chosen: {} })).toBe(false)
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`other ${i}`, ['Ann']]))
  expect(lacksNames(asked, { ...MEMBER, chosen: many })).toBe(false)
})

test('what an owner did is not what the owner after a transfer did', () => {
  const ann = { kind: 'owner', name: 'Ann' } as const
  expect(isByOwner(ann, OWNER)).toBe(true)
  expect(isByOwner(ann, { ...OWNER, you: { kind: 'owner', name: 'Bob' } })).toBe(false)
  expect(isByOwner({ kind: 'owner', name: null }, OWNER)).toBe(false)
  expect(isByOwner({ kind: 'member', name: 'Mia' }, MEMBER)).toBe(false)
})
