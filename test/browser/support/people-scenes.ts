// People and invites in every state: the section of a workspace's settings, home, the page of a link, and a channel that its
// viewer only sees.
import type { Page } from 'playwright-core'
import type { TestServer } from '../../support/server.ts'
import { buttons, input, makeApi, question, text } from './api.ts'
import { press } from './page.ts'
import { failWith } from './requests.ts'
import { guest, type Scene } from './scenes.ts'
import { type Credentials, makeSession, makeUser } from './session.ts'
import { signIn } from './visit.ts'

type Step = (page: Page) => Promise<unknown>

export async function peopleScenes(server: TestServer): Promise<Scene[]> {
  const team = await makeTeam(server)
  const open = (user: Credentials | null, path: string, then?: Step) => async (page: Page) => {
    if (user) await signIn(page, server.url, user)
    await page.goto(server.url + path)
    await then?.(page)
  }
  return [...settingsScenes(team, open), ...homeScenes(team, open), ...joinScenes(team, open)]
}

type Team = Awaited<ReturnType<typeof makeTeam>>
type Open = (user: Credentials | null, path: string, then?: Step) => Step

/** A workspace with somebody in every role, open invites, and a channel. */
async function makeTeam(server: TestServer) {
  const [ann, bob, mia, vic] = await Promise.all(
    ['Ann Lee', 'Bob Okafor', 'Mia Sørensen-Katzenstein', 'Vic'].map(name => makeUser(server, name)),
  )
  if (!ann || !bob || !mia || !vic) throw new Error('four people sign up')
  const session = await makeSession({ url: server.url, owner: ann })
  const create = (name: string, icon: string) =>
    session<{ id: string; slug: string }>('POST', '/workspaces', { name, icon })
  const [empty, workspace] = [await create('Nobody else', '🏝️'), await create('Launch team', '🚀')]
  const invite = async (body: object) => {
    const made = await session<{ url: string }>('POST', `/workspaces/${workspace.id}/invites`, body)
    return new URL(made.url).hash
  }
  const join = async (user: Credentials, role: string) => {
    const own = await makeSession({ url: server.url, owner: user })
    await own('POST', '/invites/accept', { token: (await invite({ role })).slice(1) })
    return own
  }
  const editors = await join(bob, 'editor')
  await join(mia, 'member')
  await join(vic, 'viewer')
  for (const name of ['Nightly import', 'Deploys'])
    await editors('POST', '/api-keys', { name, scope: 'write', workspace_id: workspace.id })
  const { key } = await session<{ key: string }>('POST', '/api-keys', { name: 'Scenes', scope: 'full' })
  const api = makeApi({ ...server, api_key: key, workspace_id: workspace.id })
  const channel = await api.createChannel('Countdown', { icon: '⏱️' })
  await api.push(channel.id, [
    text('Fuel check of stage 2'),
    input('pressure', 'Pressure', { hint: 'In bar' }),
    { type: 'toggle', id: 'again', label: 'Ask again tomorrow' },
    { ...question({ who: [bob.email, mia.email] }, 'Go', 'Hold'), id: 'ask' },
  ])
  await api.push(channel.id, [text('Weather: 12 knots from the east'), buttons('Acknowledge')], 'warning')
  return {
    people: { ann, bob, mia, vic },
    empty: `/dashboard/workspaces/${empty.id}`,
    settings: `/dashboard/workspaces/${workspace.id}`,
    channel: channel.id,
    links: {
      many: await invite({ role: 'editor', uses: 25 }),
      one: await invite({ role: 'viewer', email: 'somebody.with.a.long.address@example.com' }),
    },
  }
}

const people = (page: Page) => page.getByRole('region', { name: 'People', exact: true })

function settingsScenes({ people: { ann, bob, vic }, empty, settings }: Team, open: Open): Scene[] {
  const whole = { full: true }
  const loaded = (page: Page) => people(page).getByText('bob', { exact: false }).first().waitFor()
  const menu = async (page: Page) => {
    await loaded(page)
    await page.getByRole('button', { name: 'role of Bob' }).click()
  }
  const choose = (name: string) => async (page: Page) => {
    await menu(page)
    await page.getByRole('button', { name, exact: true }).click()
    await page.getByRole('alertdialog').waitFor()
  }
  return [
    guest(
      'people-empty',
      open(ann, empty, page => page.getByText('Only you can see this workspace').waitFor()),
      whole,
    ),
    guest('people', open(ann, settings, loaded), whole),
    guest('people-of-an-editor', open(bob, settings, loaded), whole),
    guest(
      'people-of-a-viewer',
      open(vic, settings, page => page.getByText('Only the owner and').waitFor()),
    ),
    guest('people-role', open(ann, `${settings}#people`, menu)),
    guest('people-remove', open(ann, `${settings}#people`, choose('Remove…'))),
    guest('people-transfer', open(ann, `${settings}#people`, choose('Owner…'))),
    guest(
      'people-invite',
      open(ann, `${settings}#people`, async page => {
        await loaded(page)
        await press(page, 'Create link')
        await page.getByRole('dialog').waitFor()
      }),
    ),
    guest(
      'people-link',
      open(ann, empty, async page => {
        await page.route('**/invites', async route => {
          if (route.request().method() !== 'POST') return route.fallback()
          const response = await route.fetch()
          const invite = await response.json()
          // The next picture begins without it.
          await page.context().request.delete(`${route.request().url()}/${invite.id}`, {
            headers: { Origin: new URL(page.url()).origin },
          })
          await route.fulfill({ response })
        })
        await press(page, 'Create link')
        await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click()
        await page.getByText('Copy it now').waitFor()
      }),
      whole,
    ),
    guest(
      'people-refused',
      open(ann, settings, async page => {
        await page.route('**/members/*', failWith('member_not_found'))
        await menu(page)
        await page.getByRole('button', { name: 'Editor', exact: true }).waitFor()
        await page.keyboard.press('Escape')
        await page.getByRole('button', { name: 'role of Mia' }).click()
        await page.getByRole('button', { name: 'Viewer', exact: true }).click()
        await page.getByRole('alert').getByText('no longer in the workspace').waitFor()
      }),
      whole,
    ),
  ]
}

function homeScenes({ people: { bob, vic }, channel }: Team, open: Open): Scene[] {
  const shared = (page: Page) => page.getByRole('heading', { name: 'Shared with you' }).waitFor()
  return [
    guest('home-of-an-editor', open(bob, '/', shared), { full: true }),
    guest('home-of-a-viewer', open(vic, '/', shared), { full: true }),
    guest(
      'home-leave',
      open(vic, '/', async page => {
        await press(page, 'Leave Launch team')
        await page.getByRole('alertdialog').waitFor()
      }),
    ),
    guest(
      'channel-only-viewing',
      open(vic, `/c/${channel}`, async page => {
        await page.getByText('Ask Ann Lee for the right to act').waitFor()
        await page.getByText('Waiting for Bob Okafor and Mia').waitFor()
      }),
    ),
  ]
}

function joinScenes({ people: { ann, vic }, links }: Team, open: Open): Scene[] {
  const path = `/join${links.many}`
  const waits = (name: string) => (page: Page) => page.getByRole('heading', { name }).waitFor()
  return [
    guest(
      'join',
      open(vic, path, page => page.getByRole('button', { name: 'Join as Editor' }).waitFor()),
    ),
    guest(
      'join-signed-out',
      open(null, path, page => page.getByRole('link', { name: 'Sign in' }).waitFor()),
    ),
    guest('join-for-one', open(null, `/join${links.one}`, waits('Join Launch team'))),
    guest('join-loading', async page => {
      // It ends with the page.
      await page.route('**/invites/preview', () => {})
      await open(vic, path, page => page.locator('.join .skeletons').waitFor())(page)
    }),
    guest('join-wrong-account', open(vic, `/join${links.one}`, waits('This invite is for another account'))),
    guest('join-ended', open(null, '/join#not-a-token', waits('This invite is no longer valid'))),
    guest('join-ended-signed-in', open(vic, '/join#not-a-token', waits('This invite is no longer valid'))),
    guest('join-unreachable', async page => {
      await page.route('**/invites/preview', route => route.abort())
      await open(vic, path, waits('The invite can’t be loaded'))(page)
    }),
    guest(
      'join-refused',
      open(vic, path, async page => {
        await page.route('**/invites/accept', failWith('member_limit'))
        await press(page, 'Join as Editor')
        await page.getByRole('alert').getByText('This workspace is full').waitFor()
      }),
    ),
    guest(
      'join-again',
      open(ann, path, async page => {
        await press(page, 'Join as Editor')
        await page.getByText('You’re in Launch team as Owner').waitFor()
        await page.getByPlaceholder('Reply to Countdown').waitFor()
      }),
    ),
  ]
}
