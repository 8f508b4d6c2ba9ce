// Every end of a question, with the answer of each host. Only a press on "Allow" allows.
import { describe, expect, test } from 'vitest'
import { accountAt, createAccount, createTestKey, createTestWorkspace } from '../support/account.ts'
import { afterTest } from '../support/after-test.ts'
import {
  buildHookScene,
  decisionOfHook,
  endsAs,
  HOST_IDS,
  type HookScene,
  type HostId,
  type OpenedHook,
  openHook,
  pressHook,
} from '../support/hooks.ts'
import { runDatabase, runInstances, runService } from '../support/running.ts'
import { startTestService } from '../support/service.ts'
import { join } from '../support/team.ts'
import { until } from '../support/viewer.ts'

let ahead = 0
const now = () => Date.now() + ahead
const service = await runService({ WORKSPACE_LIMIT: '0' }, { now })

const claude = (decision: object) => ({
  hookSpecificOutput: { hookEventName: 'PermissionRequest', decision },
})
const ALLOWED = {
  'claude-code': claude({ behavior: 'allow' }),
  codex: claude({ behavior: 'allow' }),
  'gemini-cli': { decision: 'allow' },
}
const deniedWith = (message: string) => ({
  'claude-code': claude({ behavior: 'deny', message }),
  codex: claude({ behavior: 'deny', message }),
  'gemini-cli': { decision: 'deny', reason: message },
})
const UNDECIDED = {
  'claude-code': {},
  codex: {},
  'gemini-cli': { decision: 'deny', reason: 'Nobody allowed this in time. Do not retry without asking.' },
}

/** `state`: of the question afterwards; null if it is gone. */
type End = {
  name: string
  answers: Record<HostId, object>
  state: string | null
  end: (scene: HookScene, hook: OpenedHook) => Promise<unknown>
}

const cardPath = ({ channel_id }: HookScene, { card }: OpenedHook) =>
  `/channels/${channel_id}/cards/${card.id}`
const patch = ({ account, ...scene }: HookScene, hook: OpenedHook, body: object) =>
  account.key('PATCH', cardPath({ account, ...scene }, hook), body)

const ENDS: End[] = [
  {
    name: 'a press on “Allow”',
    answers: ALLOWED,
    state: 'decided',
    end: (scene, hook) => pressHook(scene, hook, 'allow'),
  },
  {
    name: 'a press on “Deny”',
    answers: deniedWith('Denied by Ann'),
    state: 'decided',
    end: (scene, hook) => pressHook(scene, hook, 'deny'),
  },
  {
    name: 'a press on “Deny” with a comment',
    answers: deniedWith('Denied by Ann: use the\ntest database'),
    state: 'decided',
    end: (scene, hook) => pressHook(scene, hook, 'deny', { comment: 'use the\ntest database' }),
  },
  {
    name: 'the deadline',
    answers: UNDECIDED,
    state: 'expired',
    end: async () => {
      ahead += 3_600_000
    },
  },
  {
    name: '“Close the question” on the card',
    answers: UNDECIDED,
    state: 'withdrawn',
    end: ({ account, channel_id }, { decision_id }) =>
      account.session('DELETE', `/channels/${channel_id}/decisions/${decision_id}`),
  },
  {
    name: 'a deleted card',
    answers: UNDECIDED,
    state: 'deleted',
    end: (scene, hook) => scene.account.session('DELETE', cardPath(scene, hook)),
  },
  {
    name: 'another question on the card',
    answers: UNDECIDED,
    state: 'replaced',
    end: ({ account, channel_id }, { card }) =>
      account.key('PUT', `/channels/${channel_id}/cards/by-key/${encodeURIComponent(card.key ?? '')}`, {
        blocks: [
          { type: 'button', buttons: [{ id: 'allow', label: 'Allow' }], decision: { approves: 'allow' } },
        ],
      }),
  },
  {
    name: 'a press on “Allow” after other arguments were put on the card',
    answers: UNDECIDED,
    state: 'decided',
    async end(scene, hook) {
      await patch(scene, hook, { blocks: [{ id: 'argument-0', patch: { content: 'ls' } }] })
      await pressHook(scene, hook, 'allow')
    },
  },
  {
    name: 'a press on “Allow” after another choice was made the one that approves',
    answers: UNDECIDED,
    state: 'decided',
    async end(scene, hook) {
      await patch(scene, hook, { blocks: [{ id: 'ask', patch: { decision: { approves: 'deny' } } }] })
      await pressHook(scene, hook, 'allow')
    },
  },
  {
    name: 'a press on “Deny” that somebody made the choice that approves',
    answers: UNDECIDED,
    state: 'decided',
    async end(scene, hook) {
      await patch(scene, hook, { blocks: [{ id: 'ask', patch: { decision: { approves: 'deny' } } }] })
      await pressHook(scene, hook, 'deny')
    },
  },
  {
    name: 'a deleted channel',
    answers: UNDECIDED,
    state: null,
    end: ({ account, channel_id }) => account.session('DELETE', `/channels/${channel_id}`),
  },
  {
    name: 'a deleted workspace',
    answers: UNDECIDED,
    state: null,
    async end({ account: { session, workspace_id } }) {
      // An account keeps one.
      await createTestWorkspace(session)
      await session('DELETE', `/workspaces/${workspace_id}`)
    },
  },
  {
    name: 'a deleted key',
    answers: UNDECIDED,
    state: 'abandoned',
    end: ({ account, machine }) => account.session('DELETE', `/api-keys/${machine.id}`),
  },
]

describe('table', () => {
  test('only one end allows', () => {
    const texts = ENDS.flatMap(({ answers }) => HOST_IDS.map(host => JSON.stringify(answers[host])))
    expect(texts.filter(text => /"(behavior|decision)":"allow"/.test(text))).toHaveLength(HOST_IDS.length)
  })

  describe.each(ENDS)('$name', ({ answers, state, end }) => {
    test.each(HOST_IDS)('%s gets the answer of this end', async host => {
      const scene = await buildHookScene(service)
      const hook = await openHook(scene, host)
      await end(scene, hook)
      expect(await hook.answer()).toEqual(answers[host])
      if (state !== null) await endsAs(scene, hook, state)
    })
  })
})

test.each(HOST_IDS)(
  '%s is not allowed by a key that runs the channel, nor by the key that asked',
  async host => {
    const scene = await buildHookScene(service)
    const hook = await openHook(scene, host)
    const { account, channel_id, machine } = scene
    const path = `${service.url}/api/v1/channels/${channel_id}/decisions/${hook.decision_id}`
    for (const key of [account.api_key, machine.key]) {
      const response = await fetch(path, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ button_id: 'allow' }),
      })
      expect(response.status).toBe(403)
    }
    expect(await decisionOfHook(scene, hook)).toMatchObject({ state: 'waiting' })
    hook.leave()
  },
)

test('an editor whose role ends gets no decision, and the question closes', async () => {
  const owner = await createAccount(service)
  const editor = await createAccount(service)
  await join(owner, owner.workspace_id, editor, 'editor')
  const { workspace_id } = owner
  const machine = await createTestKey(editor.session, { workspace_id, scope: 'write' })
  const scene = { ...(await buildHookScene(service, owner)), machine }
  const hook = await openHook(scene, 'gemini-cli')
  await owner.session('DELETE', `/workspaces/${workspace_id}/members/${editor.user_id}`)
  expect(await hook.answer()).toEqual(UNDECIDED['gemini-cli'])
  await endsAs(scene, hook, 'abandoned')
})

test('a press on another instance answers the hook here', async () => {
  const { here, there } = await runInstances()
  const scene = await buildHookScene(here)
  const hook = await openHook(scene, 'claude-code')
  const { session } = accountAt(there, scene.account)
  await pressHook(scene, hook, 'allow', { session })
  expect(await hook.answer()).toEqual(ALLOWED['claude-code'])
})

describe('stop', () => {
  async function startStoppable() {
    const database = await runDatabase()
    const stoppable = await startTestService({}, { database })
    return { database, stoppable, scene: await buildHookScene(stoppable) }
  }

  test('a stop answers each host without a decision, and closes the questions', async () => {
    const { database, stoppable, scene } = await startStoppable()
    const hooks = await Promise.all(HOST_IDS.map(host => openHook(scene, host)))
    await stoppable.stop()
    const answers = await Promise.all(hooks.map(hook => hook.answer()))
    expect(answers).toEqual(HOST_IDS.map(host => UNDECIDED[host]))
    const rows = await database.sql`select state, decision->>'reason' as reason from decisions`
    expect(rows).toEqual(Array(3).fill({ state: 'cancelled', reason: 'abandoned' }))
  })

  test('a drain leaves hooks open, because they are never repeated', async () => {
    const { stoppable, scene } = await startStoppable()
    afterTest(() => stoppable.stop())
    const hook = await openHook(scene, 'codex')
    const early = new AbortController()
    const drained = stoppable.drain(2, early.signal)
    await drained
    await until(() => stoppable.waits.open.length === 1, 'the hook waits')
    await pressHook(scene, hook, 'allow')
    expect(await hook.answer()).toEqual(ALLOWED.codex)
  })
})
