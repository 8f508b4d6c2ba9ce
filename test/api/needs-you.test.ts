// How many questions of a channel each viewer may decide: in the dashboard's list, and on a workspace's page, also live.
import { beforeAll, expect, test } from 'vitest'
import type { SummarizedChannel } from '../../shared/channel.ts'
import type { WaitingCards } from '../../shared/channel-view.ts'
import type { ViewedWorkspace } from '../../shared/workspace-live.ts'
import { ask } from '../support/decisions.ts'
import { openPage } from '../support/open-page.ts'
import { runInstance, runService } from '../support/running.ts'
import { type Call, callTo } from '../support/service.ts'
import { createPeople, createTeam, type People, type Team } from '../support/team.ts'
import { until } from '../support/viewer.ts'

const service = await runService({ WORKSPACE_LIMIT: '0', DAILY_CARD_LIMIT: '0' })
const there = await runInstance(service)
const guest = callTo(`${service.url}/api`)
let people: People
beforeAll(async () => {
  people = await createPeople(service)
})

const WHO = ['anyone', 'signed_in', 'members', 'owner'] as const
const setVisibility = ({ owner, workspace_id }: Team, visibility: string) =>
  owner.session('PATCH', `/workspaces/${workspace_id}`, { visibility })

/** A team whose channel asks a question for each `who`, and one that lists the viewer and the stranger. */
async function createAsking(visibility = 'public') {
  const team = await createTeam(people)
  await setVisibility(team, visibility)
  for (const who of [...WHO, [people.viewer.email, people.stranger.email]])
    await ask(team.owner.key, team.channel_id, { who })
  return team
}

/** What a person's page of the workspace says, and how many cards the channel's page counts for them. */
async function countsOf({ slug, channel_id }: Team, call: Call) {
  const page = (await call<ViewedWorkspace>('GET', `/workspaces/by-slug/${slug}`)).body
  const waiting = (await call<WaitingCards>('GET', `/channels/${channel_id}/waiting`)).body
  const channel = page.channels.find(({ id }) => id === channel_id)
  return [channel?.waiting, channel?.needs_you, waiting.total]
}

async function listed({ workspace_id, channel_id }: Team, call: Call) {
  const { body } = await call<SummarizedChannel[]>('GET', `/channels?workspace_id=${workspace_id}`)
  return body.find(({ id }) => id === channel_id)
}

test('each viewer’s page counts the questions that they may decide, as the channel does', async () => {
  const team = await createAsking()
  const viewers: [Call, number][] = [
    [team.owner.session, 4],
    [team.editor.session, 3],
    [team.member.session, 3],
    [team.viewer.session, 3],
    [team.stranger.session, 3],
    [guest, 1],
  ]
  for (const [call, count] of viewers) expect(await countsOf(team, call)).toEqual([5, count, count])
})

test('the dashboard counts what the owner or the editor may decide', async () => {
  const team = await createAsking('private')
  expect(await listed(team, team.owner.session)).toMatchObject({ waiting: 5, needs_you: 4 })
  expect(await listed(team, team.editor.session)).toMatchObject({ waiting: 5, needs_you: 3 })
})

test('nothing needs a viewer who may only look, nor anybody in a channel for viewing', async () => {
  const team = await createAsking('private')
  expect(await countsOf(team, team.viewer.session)).toEqual([5, 0, 0])
  expect(await countsOf(team, team.member.session)).toEqual([5, 3, 3])
  await team.owner.session('PATCH', `/channels/${team.channel_id}`, { mode: 'view' })
  for (const { session } of [team.owner, team.member])
    expect(await countsOf(team, session)).toEqual([5, 0, 0])
  expect(await listed(team, team.owner.session)).toMatchObject({ waiting: 5, needs_you: 0 })
})

test('a question that ends or whose deadline passes needs nobody', async () => {
  const team = await createTeam(people)
  const withdrawn = await ask(team.owner.key, team.channel_id, { who: [team.editor.email] })
  await ask(team.owner.key, team.channel_id, { expires_in: 1 })
  expect(await listed(team, team.editor.session)).toMatchObject({ waiting: 2, needs_you: 2 })
  await team.owner.key('DELETE', withdrawn.path)
  await until(
    async () => (await listed(team, team.editor.session))?.needs_you === 0,
    'the deadline has passed',
  )
  expect(await listed(team, team.editor.session)).toMatchObject({ waiting: 0, needs_you: 0 })
})

test('an open page counts for its viewer on every instance, also when the rules of a question change', async () => {
  const team = await createTeam(people)
  await setVisibility(team, 'public')
  const pages = await Promise.all([
    openPage(service.url, team.slug, team.owner.cookie),
    openPage(there.url, team.slug, team.stranger.cookie),
    openPage(there.url, team.slug, team.editor.cookie),
    openPage(there.url, team.slug),
  ])
  const shows = (...counts: number[]) =>
    until(
      () =>
        pages.every((page, i) => {
          const count = page.activity()[team.channel_id]?.needs_you
          return count === counts[i] && page.activity()[team.channel_id]?.waiting === 1
        }),
      `the pages show ${counts}`,
    )
  const { card_id } = await ask(team.owner.key, team.channel_id, { who: 'owner' })
  await shows(1, 0, 0, 0)
  const change = (who: string | string[]) =>
    team.owner.key('PATCH', `/channels/${team.channel_id}/cards/${card_id}`, {
      blocks: [{ id: 'ask', patch: { decision: { who } } }],
    })
  await change([team.stranger.email])
  await shows(0, 1, 0, 0)
  await change('members')
  await shows(1, 0, 1, 0)
  await change('anyone')
  await shows(1, 1, 1, 1)
})

test('a person who loses the role has nothing to decide on the page that is open', async () => {
  const team = await createTeam(people)
  await setVisibility(team, 'public')
  await ask(team.owner.key, team.channel_id, { who: 'members' })
  const page = await openPage(there.url, team.slug, team.member.cookie)
  await until(() => page.shows()?.channels[0]?.needs_you === 1, 'the question needs the member')
  const { id } = (await team.member.session<{ user: { id: string } }>('GET', '/auth/get-session')).body.user
  await team.owner.session('DELETE', `/workspaces/${team.workspace_id}/members/${id}`)
  await until(() => page.shows()?.channels[0]?.needs_you === 0, 'the question needs others')
})
