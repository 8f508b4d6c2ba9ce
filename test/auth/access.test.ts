// Every visibility with every kind of identity. The types require a complete table.
import { describe, expect, test } from 'vitest'
import { authorize, decideView, type Identity, scopeAllows } from '../../server/auth/access.ts'
import { ApiError } from '../../server/errors.ts'
import { API_KEY_SCOPES, type Scope } from '../../shared/api-key.ts'
import { VISIBILITIES } from '../../shared/channel.ts'

const workspace_id = 'workspace'
const access_version = 3
const none = new Map<string, number>()
const unlocked = new Map([[workspace_id, access_version]])
const unlockedBefore = new Map([[workspace_id, access_version - 1]])
const unlockedElsewhere = new Map([['elsewhere', access_version]])

const anonymous = { kind: 'anonymous', unlocked: none } as const
const user = { kind: 'session', user_id: 'other', session_id: 's', unlocked: none } as const
const key = { kind: 'key', key_id: 'k', user_id: 'owner', workspace_id: null } as const

const identities = {
  anonymous,
  'anonymous, unlocked': { ...anonymous, unlocked },
  'anonymous, unlocked before the password changed': { ...anonymous, unlocked: unlockedBefore },
  'anonymous, unlocked elsewhere': { ...anonymous, unlocked: unlockedElsewhere },
  owner: { ...user, user_id: 'owner' },
  'another user': user,
  'another user, unlocked': { ...user, unlocked },
  "the owner's key": key,
  "the owner's key for this workspace": { ...key, workspace_id },
  "the owner's key for elsewhere": { ...key, workspace_id: 'w' },
  "another user's key": { ...key, user_id: 'other' },
} satisfies Record<string, Identity>

const sees = { error: null, can_edit: false }
const edits = { error: null, can_edit: true }
const unauthorized = { status: 401, error: 'unauthorized' }
const password = { status: 401, error: 'password_required' }
const denied = { status: 403, error: 'access_denied' }
type Row<T> = { [K in keyof T]: { error: string | null } }

/** What an identity gets in a private, a protected and a public workspace. */
const table: Record<keyof typeof identities, Row<typeof VISIBILITIES>> = {
  anonymous: [unauthorized, password, sees],
  'anonymous, unlocked': [unauthorized, sees, sees],
  'anonymous, unlocked before the password changed': [unauthorized, password, sees],
  'anonymous, unlocked elsewhere': [unauthorized, password, sees],
  owner: [edits, edits, edits],
  'another user': [denied, password, sees],
  'another user, unlocked': [denied, sees, sees],
  "the owner's key": [sees, sees, sees],
  "the owner's key for this workspace": [sees, sees, sees],
  "the owner's key for elsewhere": [denied, denied, sees],
  "another user's key": [denied, password, sees],
}

describe.each(VISIBILITIES)('a %s workspace', visibility => {
  const workspace = { workspace_id, owner_id: 'owner', visibility, access_version }
  test.each(Object.entries(identities))('and a viewer who is %s', (name, identity) => {
    const row = Object.entries(table).find(([key]) => key === name)?.[1]
    const expected = row?.[VISIBILITIES.indexOf(visibility)]
    expect(expected).toMatchObject(decideView(workspace, identity))
    expect(outcomeOf(() => authorize(workspace, identity))).toEqual(expected)
  })
})

function outcomeOf(work: () => object): object {
  try {
    return { error: null, ...work() }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { status: error.status, error: error.code }
  }
}

const grants: Record<Scope, Record<Scope, boolean>> = {
  read: { read: true, write: false, full: false },
  write: { read: true, write: true, full: false },
  full: { read: true, write: true, full: true },
}

test.each(API_KEY_SCOPES)('a key of scope %s gets the permissions of its scope', scope => {
  const granted = API_KEY_SCOPES.map(need => [need, scopeAllows(scope, need)])
  expect(Object.fromEntries(granted)).toEqual(grants[scope])
})
