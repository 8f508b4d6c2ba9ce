// Interactions in the open channel: whether a viewer can send them, sending them, and finding the latest.
import { newUuid } from '../../shared/characters.ts'
import type { Value } from '../../shared/form-block.ts'
import type { ViewerTrigger } from '../../shared/interaction.ts'
import { blocksRepeat, controlOf, type LocalInteraction } from '../data/outbox/interaction.ts'
import { plain, type Words } from '../data/outbox/press-text.ts'
import type { Viewer } from '../data/viewer.ts'
import { useCardHost } from './card-host.ts'

type NewInteraction = {
  card_id: string | null
  trigger: ViewerTrigger
  label: string
  values?: Record<string, Value>
  secret?: boolean
  /** When the card on the screen was last updated. */
  seen?: string
}

/** What the page says to a person who may see the channel, and not act in it. */
export const onlyViewing = ({ owner_name }: Pick<Viewer, 'owner_name'>): Words => [
  'You can view this channel. Ask ',
  owner_name === undefined ? 'its owner' : { name: owner_name },
  ' for the right to act.',
]

export function useInteractions() {
  const { channel_id: channelId, mode, byName, outbox, viewer } = useCardHost()

  /** Undefined unless the viewer has no right to act. */
  function onlyViewer(): Viewer | undefined {
    const known = viewer()
    return known?.can_act === false ? known : undefined
  }

  function disabledReason(): string | undefined {
    if (mode() === 'view') return 'This channel is view only'
    const known = onlyViewer()
    return known && plain(onlyViewing(known))
  }

  function latest(cardId: string | null, ...controls: string[]): LocalInteraction | undefined {
    return outbox
      .interactions()
      .findLast(last => isOn(last, cardId, controls) && last.progress.state !== 'hidden')
  }

  const isOn = (
    { place, card_id, channel_id }: LocalInteraction,
    cardId: string | null,
    controls: string[],
  ) => controls.includes(place) && card_id === cardId && channel_id === channelId

  /** All on these buttons, oldest first. */
  const pressesOn = (cardId: string, controls: string[]) =>
    outbox.interactions().filter(press => isOn(press, cardId, controls))

  /** Returns the interaction's id. Null if nothing is sent: the channel is for viewing, or an earlier click isn't done. */
  function send(interaction: NewInteraction): string | null {
    const { card_id, trigger, label, values = {}, secret = false, seen } = interaction
    const place = controlOf(trigger)
    const isClick = trigger.type === 'button_click' || trigger.type === 'header_action'
    // A click goes out even if the channel changed while the viewer confirmed it: the answer says that it doesn't count.
    if (!isClick && disabledReason() !== undefined) return null
    const last = isClick && latest(card_id, place)
    const decision_id = trigger.type === 'button_click' ? trigger.decision_id : undefined
    // A press on a question that was asked again repeats nothing.
    if (last && last.decision_id === decision_id && blocksRepeat(last, Date.now())) return null
    const interaction_id = newUuid()
    const timestamp = new Date().toISOString()
    const named = byName()
    const as = named !== undefined && { as: named ? ('me' as const) : ('anonymous' as const) }
    outbox.add({
      interaction_id,
      channel_id: channelId,
      card_id,
      type: trigger.type,
      place,
      label,
      acted_at: timestamp,
      body: {
        interaction_id,
        card_id,
        trigger,
        values,
        timestamp,
        ...as,
        ...(seen !== undefined && { seen }),
      },
      secret,
      progress: { state: 'waiting', trouble: null },
      ...(decision_id !== undefined && { decision_id }),
    })
    return interaction_id
  }

  return { disabledReason, onlyViewer, latest, pressesOn, send }
}
