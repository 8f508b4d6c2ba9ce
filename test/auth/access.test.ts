// Every visibility with every kind of viewer. The types require a complete table.
import { describe, expect, test } from 'vitest'
import { type Decision, decideView, type Need, scopeAllows, type Viewer } from '../../server/auth/access.ts'
import { API_KEY_SCOPES, type Scope } from '../../shared/api-key.ts'
import { VISIBILITIES, type Visibility } from '../../shared/channel.ts'

const workspace_id = 'workspace'
const access_version = 3
const none = new Map<string, number>()
const unlocked = new Map([[workspace_id, access_version]])
const unlockedBefore = new Map([[workspace_id, access_version - 1]])
const unlockedElsewhere = new Map([['elsewhere', access_version]])

const viewers = {
  anonymous: { kind: 'anonymous', unlocked: none },
  'anonymous, unlocked': { kind: 'anonymous', unlocked },
  'anonymous, unlocked before the password changed': { kind: 'anonymous', unlocked: unlockedBefore },
  'anonymous, unlocked elsewhere': { kind: 'anonymous', unlocked: unlockedElsewhere },
  owner: { kind: 'session', user_id: 'owner', session_id: 's', unlocked: none },
  'another user': { kind: 'session', user_id: 'other', session_id: 's', unlocked: none },
  'another user, unlocked': { kind: 'session', user_id: 'other', session_id: 's', unlocked },
  "the owner's key": { kind: 'key', key_id: 'k', user_id: 'owner', workspace_id: null, scope: 'read' },
  "the owner's key for this workspace": {
    kind: 'key',
    key_id: 'k',
    user_id: 'owner',
    workspace_id,
    scope: 'full',
  },
  "the owner's key for elsewhere": {
    kind: 'key',
    key_id: 'k',
    user_id: 'owner',
    workspace_id: 'w',
    scope: 'full',
  },
  "another user's key": { kind: 'key', key_id: 'k', user_id: 'other', workspace_id: null, scope: 'full' },
} satisfies Record<string, Viewer>

const sees: Decision = { refused: null, can_edit: false }
const edits: Decision = { refused: null, can_edit: true }
const unauthorized: Decision = { refused: 401, reason: 'Unauthorized' }
const password: Decision = { refused: 401, reason: 'Password required' }
const denied: Decision = { refused: 403, reason: 'Access denied' }

const table: Record<Visibility, Record<keyof typeof viewers, Decision>> = {
  public: {
    anonymous: sees,
    'anonymous, unlocked': sees,
    'anonymous, unlocked before the password changed': sees,
    'anonymous, unlocked elsewhere': sees,
    owner: edits,
    'another user': sees,
    'another user, unlocked': sees,
    "the owner's key": sees,
    "the owner's key for this workspace": sees,
    "the owner's key for elsewhere": sees,
    "another user's key": sees,
  },
  protected: {
    anonymous: password,
    'anonymous, unlocked': sees,
    'anonymous, unlocked before the password changed': password,
    'anonymous, unlocked elsewhere': password,
    owner: edits,
    'another user': password,
    'another user, unlocked': sees,
    "the owner's key": sees,
    "the owner's key for this workspace": sees,
    "the owner's key for elsewhere": denied,
    "another user's key": password,
  },
  private: {
    anonymous: unauthorized,
    'anonymous, unlocked': unauthorized,
    'anonymous, unlocked before the password changed': unauthorized,
    'anonymous, unlocked elsewhere': unauthorized,
    owner: edits,
    'another user': denied,
    'another user, unlocked': denied,
    "the owner's key": sees,
    "the owner's key for this workspace": sees,
    "the owner's key for elsewhere": denied,
    "another user's key": denied,
  },
}

describe.each(VISIBILITIES)('a %s workspace', visibility => {
  const place = { workspace_id, owner_id: 'owner', visibility, access_version }
  test.each(Object.entries(viewers))('and a viewer who is %s', (name, viewer) => {
    const expected = Object.entries(table[visibility]).find(([key]) => key === name)?.[1]
    expect(decideView(place, viewer)).toEqual(expected)
  })
})

const grants: Record<Scope, Record<Need, boolean>> = {
  read: { read: true, write: false, full: false },
  write: { read: true, write: true, full: false },
  full: { read: true, write: true, full: true },
}

test.each(API_KEY_SCOPES)('a key of scope %s gets the permissions of its scope', scope => {
  const granted = Object.fromEntries(
    (['read', 'write', 'full'] as const).map(need => [need, scopeAllows(scope, need)]),
  )
  expect(granted).toEqual(grants[scope])
})
