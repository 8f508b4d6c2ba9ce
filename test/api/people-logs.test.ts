// What the log says of people who come, change and go: ids, and nothing that a person wrote.
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { runService } from '../support/running.ts'
import { create } from '../support/service.ts'
import { createPeople, createTeam } from '../support/team.ts'

type Line = Record<string, unknown> & { msg: string }

const lines: Line[] = []
const service = await runService({}, { log: pino({}, { write: text => lines.push(JSON.parse(text)) }) })

const WORDS = [
  'invite created',
  'member joined',
  'role changed',
  'member removed',
  'invite revoked',
  'workspace transferred',
]

test('changes of people and invites are logged with ids only', async () => {
  const { owner, editor, member, viewer, workspace_id } = await createTeam(await createPeople(service))
  const path = `/workspaces/${workspace_id}`
  const email = 'secret@example.com'
  const invite = await create<{ id: string; url: string }>(owner.session, `${path}/invites`, {
    role: 'viewer',
    email,
  })
  await owner.session('DELETE', `${path}/invites/${invite.id}`)
  await owner.session('PATCH', `${path}/members/${viewer.user_id}`, { role: 'member' })
  await owner.session('DELETE', `${path}/members/${member.user_id}`)
  await owner.session('POST', `${path}/transfer`, { user_id: editor.user_id })

  const about = lines.filter(({ msg }) => WORDS.includes(msg))
  expect(new Set(about.map(({ msg }) => msg))).toEqual(new Set(WORDS))
  for (const { level, time, pid, hostname, msg, ...fields } of about) {
    const subject = /invite|joined/.test(msg) ? 'invite_id' : 'member_id'
    expect(Object.keys(fields).sort(), msg).toEqual(['user_id', 'workspace_id', subject].sort())
  }
  const log = JSON.stringify(lines)
  for (const secret of [email, owner.email, new URL(invite.url).hash.slice(1), 'Ann'])
    expect(log).not.toContain(secret)
})
