// Who may see, run and decide: a table for each rule. The types require complete tables.
import { describe, expect, test } from 'vitest'
import {
  authorize,
  decideView,
  type Identity,
  mayRun,
  personKind,
  refusalToDecide,
  scopeAllows,
} from '../../server/auth/access.ts'
import { ApiError } from '../../server/errors.ts'
import { API_KEY_SCOPES, type Scope } from '../../shared/api-key.ts'
import { VISIBILITIES } from '../../shared/channel.ts'
import { type Decision, WHO } from '../../shared/decision.ts'
import { ROLES, type Role } from '../../shared/role.ts'

const workspace_id = 'workspace'
const access_version = 3
const none = new Map<string, number>()
const unlocked = new Map([[workspace_id, access_version]])
const unlockedBefore = new Map([[workspace_id, access_version - 1]])
const unlockedElsewhere = new Map([['elsewhere', access_version]])

const anonymous = { kind: 'anonymous', unlocked: none } as const
const session = { kind: 'session', user_id: 'u', session_id: 's', unlocked: none } as const
const key = { kind: 'key', key_id: 'k', user_id: 'u', workspace_id: null } as const

const identities = {
  anonymous,
  'anonymous, unlocked': { ...anonymous, unlocked },
  'anonymous, unlocked before the password changed': { ...anonymous, unlocked: unlockedBefore },
  'anonymous, unlocked elsewhere': { ...anonymous, unlocked: unlockedElsewhere },
  session,
  'session, unlocked': { ...session, unlocked },
  key,
  'key for this workspace': { ...key, workspace_id },
  'key for elsewhere': { ...key, workspace_id: 'w' },
} satisfies Record<string, Identity>
type Name = keyof typeof identities

const unauthorized = { status: 401, error: 'unauthorized' }
const password = { status: 401, error: 'password_required' }
const denied = { status: 403, error: 'access_denied' }
/** As anybody. */
const looks = { error: null, role: null, can_edit: false, can_act: true }
/** A key opens sockets only. */
const reads = { ...looks, can_act: false }
const owns = { error: null, role: 'owner', can_edit: true, can_act: true }
const edits = { ...owns, role: 'editor' }
const takesPart = { error: null, role: 'member', can_edit: false, can_act: true }
const watches = { error: null, role: 'viewer', can_edit: false, can_act: false }
const watchesOpen = { ...watches, can_act: true }

type Row<T> = { [K in keyof T]: { error: string | null } }
type Rows = Record<Exclude<Name, `anonymous${string}`>, Row<typeof VISIBILITIES>>

/** What an identity without a person gets in a private, a protected and a public workspace. */
const anonymousRows: Record<Extract<Name, `anonymous${string}`>, Row<typeof VISIBILITIES>> = {
  anonymous: [unauthorized, password, looks],
  'anonymous, unlocked': [unauthorized, looks, looks],
  'anonymous, unlocked before the password changed': [unauthorized, password, looks],
  'anonymous, unlocked elsewhere': [unauthorized, password, looks],
}

const runningKeys = {
  key: [reads, reads, looks],
  'key for this workspace': [reads, reads, looks],
  'key for elsewhere': [denied, denied, looks],
} satisfies Partial<Rows>
const strangersKeys = {
  key: [denied, password, looks],
  'key for this workspace': [denied, password, looks],
  'key for elsewhere': [denied, password, looks],
} satisfies Partial<Rows>

/** The same for a person of each role. */
const rows: Record<Role | 'none', Rows> = {
  owner: { session: [owns, owns, owns], 'session, unlocked': [owns, owns, owns], ...runningKeys },
  editor: { session: [edits, edits, edits], 'session, unlocked': [edits, edits, edits], ...runningKeys },
  member: {
    session: [takesPart, takesPart, takesPart],
    'session, unlocked': [takesPart, takesPart, takesPart],
    ...strangersKeys,
  },
  viewer: {
    session: [watches, watches, watchesOpen],
    'session, unlocked': [watches, watchesOpen, watchesOpen],
    ...strangersKeys,
  },
  none: { session: [denied, password, looks], 'session, unlocked': [denied, looks, looks], ...strangersKeys },
}

describe.each([...ROLES, 'none'] as const)('the role %s', role => {
  const table = { ...anonymousRows, ...rows[role] }
  test.each(VISIBILITIES)('a viewer gets the right access to a workspace that is %s', visibility => {
    const workspace = {
      workspace_id,
      owner_id: 'o',
      role: role === 'none' ? null : role,
      visibility,
      access_version,
    }
    for (const [name, identity] of Object.entries(identities)) {
      const expected = Object.entries(table).find(([key]) => key === name)?.[1][
        VISIBILITIES.indexOf(visibility)
      ]
      expect(expected, name).toMatchObject(decideView(workspace, identity))
      expect(
        outcomeOf(() => authorize(workspace, identity)),
        name,
      ).toEqual(expected)
    }
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

const keys = {
  'a session': undefined,
  'a key': { workspace_id: null },
  'a key for this workspace': { workspace_id },
  'a key for elsewhere': { workspace_id: 'elsewhere' },
}

test.each([...ROLES, null])('only owner and editors run a workspace, with keys that reach it: %s', role => {
  const runs = role === 'owner' || role === 'editor'
  const may = Object.entries(keys).map(([name, key]) => [name, mayRun(workspace_id, role, key)])
  expect(Object.fromEntries(may)).toEqual({
    'a session': runs,
    'a key': runs,
    'a key for this workspace': runs,
    'a key for elsewhere': false,
  })
})

test('others see which person is the owner, and no other role', () => {
  expect([...ROLES, null].map(personKind)).toEqual(['owner', 'member', 'member', 'member', 'user'])
})

const person = { kind: 'person', role: null } as const
const pressers = {
  'someone without a session': { ...person, user_id: null },
  'the owner': { ...person, user_id: 'owner', role: 'owner' },
  'an editor': { ...person, user_id: 'editor', role: 'editor' },
  'a member': { ...person, user_id: 'member', role: 'member' },
  'a viewer': { ...person, user_id: 'viewer', role: 'viewer' },
  'a listed user': { ...person, user_id: 'listed' },
  'another user': { ...person, user_id: 'other' },
  'the key that asked': { kind: 'agent', api_key_id: 'asker' },
  'another key': { kind: 'agent', api_key_id: 'other' },
} satisfies Record<string, Parameters<typeof refusalToDecide>[1]>

type Refusals = Record<keyof typeof pressers, ReturnType<typeof refusalToDecide>>
const noAgents = { 'the key that asked': 'agents', 'another key': 'agents' } as const

/** For people, by who may decide. Keys depend on `agents` alone. */
const refusals: Record<Decision['who'], Refusals> = {
  anyone: {
    'someone without a session': null,
    'the owner': null,
    'an editor': null,
    'a member': null,
    'a viewer': null,
    'a listed user': null,
    'another user': null,
    ...noAgents,
  },
  signed_in: {
    'someone without a session': 'sign_in',
    'the owner': null,
    'an editor': null,
    'a member': null,
    'a viewer': null,
    'a listed user': null,
    'another user': null,
    ...noAgents,
  },
  members: {
    'someone without a session': 'sign_in',
    'the owner': null,
    'an editor': null,
    'a member': null,
    'a viewer': 'not_allowed',
    'a listed user': 'not_allowed',
    'another user': 'not_allowed',
    ...noAgents,
  },
  owner: {
    'someone without a session': 'sign_in',
    'the owner': null,
    'an editor': 'not_allowed',
    'a member': 'not_allowed',
    'a viewer': 'not_allowed',
    'a listed user': 'not_allowed',
    'another user': 'not_allowed',
    ...noAgents,
  },
  listed: {
    'someone without a session': 'sign_in',
    'the owner': 'not_allowed',
    'an editor': 'not_allowed',
    'a member': 'not_allowed',
    'a viewer': 'not_allowed',
    'a listed user': null,
    'another user': 'not_allowed',
    ...noAgents,
  },
}

describe.each(WHO)('a question for %s', who => {
  const decide = (agents: boolean) => {
    const listed = who === 'listed' ? ['listed'] : []
    const rules = { who, agents, listed, asker_key: 'asker' }
    return Object.fromEntries(
      Object.entries(pressers).map(([name, by]) => [name, refusalToDecide(rules, by)]),
    )
  }

  test('a question says who may decide it', () => {
    expect(decide(false)).toEqual(refusals[who])
  })

  test('a question is open to keys if it allows agents, but not to the key that asked', () => {
    const keys = { 'the key that asked': 'own_question', 'another key': null }
    expect(decide(true)).toEqual({ ...refusals[who], ...keys })
  })
})
