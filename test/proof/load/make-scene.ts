// Makes what a run works on: a user with channels, and a user whose daily limit the run uses up.
import { createAccount, createTestKey } from '../../support/account.ts'
import { createChannel } from '../../support/channels.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { Plan } from '../plan.ts'
import { now } from '../records.ts'
import type { Scene, Spender } from './scene.ts'

/** A day's cards: the same for all users. The first one never reaches it. */
export const CARD_LIMIT = 1_000_000

export async function makeScene(
  plan: Plan,
  cluster: Cluster,
  { folder, webhook_port }: { folder: string; webhook_port: number },
): Promise<Scene> {
  const urls = cluster.instances.map(({ url }) => cluster.balancer?.url ?? url)
  const account = await createAccount({ url: urls[0] ?? '' })
  const { api_key, cookie, workspace_id, slug } = account
  await account.session('PATCH', `/workspaces/${workspace_id}`, { visibility: 'public' })
  const { key: agent_key } = await createTestKey(account.session, { name: 'Agent' })
  const webhook_url = `http://127.0.0.1:${webhook_port}`
  const channel_ids: string[] = []
  const secrets: Record<string, string> = {}
  for (let i = 0; i < plan.channels; i++) {
    const fields = { name: `Channel ${i}`, mode: 'interactive', webhook_url: `${webhook_url}/${i}` }
    const channel_id = await createChannel(account, fields)
    const { body } = await account.session<{ secret: string }>(
      'GET',
      `/channels/${channel_id}/webhook-secret`,
    )
    channel_ids.push(channel_id)
    secrets[channel_id] = body.secret
  }
  const spender = await makeSpender(plan, cluster, urls[0] ?? '')
  channel_ids.push(spender.channel_id)
  const { cookie: hider_cookie, email: hider_email } = await createAccount({ url: urls[0] ?? '' })
  const { user_id, cookie: joiner_cookie, api_key: joiner_key } = await createAccount({ url: urls[0] ?? '' })
  const joiner = { user_id, cookie: joiner_cookie, api_key: joiner_key }
  const clock = { wall_ms: Date.now(), at: now() }
  const owner = { api_key, agent_key, cookie, workspace_id, slug, hider_cookie, hider_email, joiner }
  return { plan, folder, urls, ...owner, channel_ids, webhook_url, secrets, spender, clock }
}

/** As if the user had created most cards of the day already. */
async function makeSpender(plan: Plan, { sql }: Cluster, url: string): Promise<Spender> {
  const account = await createAccount({ url })
  await account.session('PATCH', `/workspaces/${account.workspace_id}`, { visibility: 'public' })
  const channel_id = await createChannel(account, { name: 'Spender' })
  const { user_id, api_key } = account
  const before = CARD_LIMIT - plan.spendable
  const [row] = await sql<{ day: string }[]>`
    insert into daily_usage as u (user_id, day, cards)
    values (${user_id}, (now() at time zone 'UTC')::date, ${before})
    on conflict (user_id, day) do update set cards = excluded.cards returning day`
  if (!row) throw new Error('an upsert returns its row')
  return { user_id, api_key, channel_id, day: row.day, before, limit: CARD_LIMIT }
}
