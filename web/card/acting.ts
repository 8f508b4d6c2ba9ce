// Acting in the channel that the page shows: whether one may, and what becomes of it.
import { uuidv4 } from 'lib0/random'
import type { Value } from '../../shared/card-state.ts'
import type { ViewerTrigger } from '../../shared/interaction.ts'
import { useFeed } from '../data/channel/feed-context.ts'
import { type Act, isOnItsWay, placeOf } from '../data/outbox/interaction.ts'
import { useOutbox } from '../data/outbox/outbox-context.tsx'

export type NewAct = {
  card_id: string | null
  trigger: ViewerTrigger
  label: string
  values?: Record<string, Value>
  secret?: boolean
}

export function useActing() {
  const feed = useFeed()
  const outbox = useOutbox()

  /** Why nothing can be done here; undefined where one may act. */
  function barred(): string | undefined {
    const mode = (feed.state.head ?? feed.view()?.channel)?.mode
    return mode === 'view' ? 'This channel is for viewing only' : undefined
  }

  /** The last act at one of these places. */
  function latest(cardId: string | null, ...places: string[]): Act | undefined {
    return outbox
      .acts()
      .findLast(act => places.includes(act.place) && act.card_id === cardId && act.channel_id === feed.id)
  }

  /** The id of the interaction, or null where nothing is sent: another click at this place is on its way. */
  function act({ card_id, trigger, label, values = {}, secret = false }: NewAct): string | null {
    if (barred() !== undefined) return null
    const place = placeOf(trigger)
    const clicked = trigger.type === 'button_click' || trigger.type === 'header_action'
    const last = clicked && latest(card_id, place)
    if (last && isOnItsWay(last, Date.now())) return null
    const interaction_id = uuidv4()
    const timestamp = new Date().toISOString()
    const as = feed.byName() && { as: 'me' as const }
    outbox.add({
      interaction_id,
      channel_id: feed.id,
      card_id,
      type: trigger.type,
      place,
      label,
      acted_at: timestamp,
      body: { interaction_id, card_id, trigger, values, timestamp, ...as },
      secret,
      progress: { state: 'waiting', trouble: null },
    })
    return interaction_id
  }

  return { barred, latest, act }
}
