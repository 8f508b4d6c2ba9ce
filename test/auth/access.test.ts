// Who may see, run and decide: a table for each rule. The types require complete tables.
import { describe, expect, test } from 'vitest'
import {
  authorize,
  decideView,
  type Identity,
  mayRun,
  refusalToDecide,
  scopeAllows,
} from '../../server/auth/access.ts'
import { ApiError } from '../../server/errors.ts'
import { API_KEY_SCOPES, type Scope } from '../../shared/api-key.ts'
import { VISIBILITIES } from '../../shared/channel.ts'
import { type Decision, WHO } from '../../shared/decision.ts'

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

const sees = { error: null, role: null, can_edit: false }
const edits = { error: null, role: 'owner', can_edit: true }
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
  test.each(Object.entries(identities))(
    `a viewer who is %s gets the right access to a ${visibility} workspace`,
    (name, identity) => {
      const row = Object.entries(table).find(([key]) => key === name)?.[1]
      const expected = row?.[VISIBILITIES.indexOf(visibility)]
      expect(expected).toMatchObject(decideView(workspace, identity))
      expect(outcomeOf(() => authorize(workspace, identity))).toEqual(expected)
    },
  )
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

const callers = {
  'the owner with a session': ['owner', undefined],
  "the owner's key": ['owner', { workspace_id: null }],
  "the owner's key for this workspace": ['owner', { workspace_id }],
  "the owner's key for elsewhere": ['owner', { workspace_id: 'elsewhere' }],
  'another user with a session': ['other', undefined],
  "another user's key": ['other', { workspace_id: null }],
  "another user's key for this workspace": ['other', { workspace_id }],
} satisfies Record<string, Parameters<typeof mayRun> extends [unknown, ...infer Caller] ? Caller : never>

const runs: Record<keyof typeof callers, boolean> = {
  'the owner with a session': true,
  "the owner's key": true,
  "the owner's key for this workspace": true,
  "the owner's key for elsewhere": false,
  'another user with a session': false,
  "another user's key": false,
  "another user's key for this workspace": false,
}

test('only the owner and the keys that reach the workspace run it', () => {
  const workspace = { workspace_id, owner_id: 'owner' }
  const may = Object.entries(callers).map(([name, [user_id, key]]) => [name, mayRun(workspace, user_id, key)])
  expect(Object.fromEntries(may)).toEqual(runs)
})

const person = { kind: 'person', owner: false } as const
const pressers = {
  'someone without a session': { ...person, user_id: null },
  'the owner': { ...person, user_id: 'owner', owner: true },
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
    'a listed user': null,
    'another user': null,
    ...noAgents,
  },
  signed_in: {
    'someone without a session': 'sign_in',
    'the owner': null,
    'a listed user': null,
    'another user': null,
    ...noAgents,
  },
  members: {
    'someone without a session': 'sign_in',
    'the owner': null,
    'a listed user': 'not_allowed',
    'another user': 'not_allowed',
    ...noAgents,
  },
  owner: {
    'someone without a session': 'sign_in',
    'the owner': null,
    'a listed user': 'not_allowed',
    'another user': 'not_allowed',
    ...noAgents,
  },
  listed: {
    'someone without a session': 'sign_in',
    'the owner': 'not_allowed',
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
