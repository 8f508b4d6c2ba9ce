// The one entrance for what a person does in a channel. It is checked and logged once. There are two ways behind it: a press
// that leaves a receipt or decides is judged in the channel's turn, because it changes the document; all else only needs
// rows, and must not wait for a document.
import { randomUUID } from 'node:crypto'
import { type Channel, showsReceipts } from '../../shared/channel.ts'
import { isQuestionBlock } from '../../shared/decision-rules.ts'
import type { CreateInteractionBody } from '../../shared/interaction.ts'
import { REQUIRED } from '../../shared/invalid.ts'
import type { Role } from '../../shared/role.ts'
import { normalUuid } from '../../shared/text.ts'
import type { Config } from '../config.ts'
import type { Sql } from '../database/connect.ts'
import { findDecisionOf } from '../decisions/reads.ts'
import { invalid, notFound } from '../errors.ts'
import type { Feeds } from '../feed/feeds.ts'
import { getCard } from './cards.ts'
import { listHeaderActions } from './channels.ts'
import { checkInteraction, type InteractionContext } from './interaction-rules.ts'
import { findInteraction, recordInteraction } from './interactions.ts'
import { InteractionTaken, pressHeader, writePress } from './presses.ts'
import { readName } from './users.ts'

type Deps = {
  sql: Sql
  feeds: Feeds
  config: Pick<Config, 'daily_byte_limit'>
  now: () => number
  public_url: string
}

/** `user_id`: null without a session. `role`: in the channel's workspace. */
type ActingPerson = { user_id: string | null; role: Role | null }
type OwnedChannel = { id: string; owner_id: string }

/** Resolves when the interaction is durable. `is_new`: false if its id was used before; the first result is the answer. */
export async function writeInteraction(
  deps: Deps,
  channel: OwnedChannel,
  body: CreateInteractionBody,
  person: ActingPerson,
) {
  const interaction_id = body.interaction_id ?? randomUUID()
  const first = await findFirst(deps.sql, channel.id, interaction_id)
  if (first) return { interaction: first, is_new: false }
  try {
    return { interaction: await write(deps, channel, { ...body, interaction_id }, person), is_new: true }
  } catch (error) {
    // The same interaction, sent twice at once, may have been logged.
    const logged = await findFirst(deps.sql, channel.id, interaction_id)
    if (!logged) throw error
    return { interaction: logged, is_new: false }
  }
}

async function write(
  { sql, feeds, config, now, public_url }: Deps,
  channel: OwnedChannel,
  body: CreateInteractionBody & { interaction_id: string },
  { user_id, role }: ActingPerson,
) {
  const { interaction_id, trigger, values = {}, seen = null } = body
  const timestamp = sentAt(body.timestamp, now())
  const named = user_id !== null && showsName(body.as, role)
  const context = await readContext(sql, channel.id, body)
  if (!isJudgedInTurn(body, context)) {
    const sender = { interaction_id, channel_id: channel.id, timestamp, user_id, anonymous: !named }
    const budget = { owner_id: channel.owner_id, limit: config.daily_byte_limit, now }
    const logged = await recordInteraction(sql, { ...sender, ...checkInteraction(body, context) }, budget)
    if (!logged) throw new InteractionTaken()
    return logged
  }
  const name = user_id === null ? null : await readName(sql, user_id)
  const by = { kind: 'person' as const, user_id, name, role, named }
  if (trigger.type !== 'button_click' || !context.card)
    return (await pressHeader(feeds, channel, body, { interaction_id, timestamp }, by)).interaction
  const { button_id, comment } = trigger
  const decision_id = trigger.decision_id?.toLowerCase() ?? null
  const press = { interaction_id, button_id, decision_id, comment, values, seen, timestamp, by, public_url }
  const { interaction, record } = await writePress(feeds, channel, context.card.id, press)
  return record ? { ...interaction, decision: record.decision } : interaction
}

type Context = InteractionContext & { shows_receipts: boolean }

async function readContext(
  sql: Sql,
  channel_id: string,
  { trigger, card_id }: CreateInteractionBody,
): Promise<Context> {
  const onCard = trigger.type === 'button_click' || trigger.type === 'input_change'
  if (onCard && (card_id === undefined || card_id === null)) throw invalid('card_id', REQUIRED)
  const id = onCard ? normalUuid(card_id) : null
  if (onCard && id === null) throw notFound('Card')
  const [channel] = await sql<Pick<Channel, 'mode' | 'receipts' | 'visibility'>[]>`
    select c.mode, c.receipts, w.visibility
    from channels c join workspaces w on w.id = c.workspace_id where c.id = ${channel_id}`
  if (!channel) throw notFound('Channel')
  return {
    mode: channel.mode,
    shows_receipts: showsReceipts(channel.receipts, channel.visibility),
    card: id === null ? null : await getCard(sql, channel_id, { id }),
    actions: trigger.type === 'header_action' ? await listHeaderActions(sql, channel_id) : [],
  }
}

function isJudgedInTurn({ trigger }: CreateInteractionBody, { card, shows_receipts }: Context): boolean {
  if (trigger.type === 'header_action') return shows_receipts
  if (trigger.type !== 'button_click' || !card) return false
  // It decides something, or believes so.
  const asks = card.blocks
    .filter(isQuestionBlock)
    .some(({ buttons }) => buttons.some(({ id }) => id === trigger.button_id))
  return shows_receipts || trigger.decision_id !== undefined || asks
}

/** The answer that the first request with this id got; null if there was none. */
async function findFirst(sql: Sql, channel_id: string, interaction_id: string) {
  const interaction = await findInteraction(sql, interaction_id)
  if (!interaction) return null
  if (interaction.channel_id !== channel_id)
    throw invalid('interaction_id', 'is already in use', 'interaction_id_taken')
  if (interaction.trigger.type !== 'button_click') return interaction
  const made = await findDecisionOf(sql, interaction_id)
  return made ? { ...interaction, decision: made.decision } : interaction
}

/** Whether the interaction shows the person's name: as the request says, otherwise only of people with a role. */
const showsName = (as: CreateInteractionBody['as'], role: Role | null) =>
  (as ?? (role === null ? 'anonymous' : 'me')) === 'me'

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/
const MAX_AGE_MS = 30 * 24 * 3_600_000

/** The person's own time if it is plausible, because they may have been offline; otherwise now. ISO 8601. */
function sentAt(given: string | undefined, now: number): string {
  const sent = given !== undefined && INSTANT.test(given) ? Date.parse(given) : Number.NaN
  const plausible = sent <= now && sent >= now - MAX_AGE_MS
  return new Date(plausible ? sent : now).toISOString()
}
