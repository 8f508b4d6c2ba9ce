// People press buttons, and automations change cards, in many channels, each of which rests until its turn comes.
import { badgePatch } from '../card.ts'
import type { Repeated } from '../load/poster.ts'
import { goal, type Scenario, startPosting } from '../scenario.ts'
import { cardsPath } from '../target.ts'
import { measureWrites } from './writes.ts'

const CHANNELS = 200
const CLIENTS = 16
/** So many different requests for each channel, because the same change again changes nothing. */
const STEPS = 10

type Place = { channel_id: string; card_id: string; person: Record<string, string> }
type Shape = {
  name: string
  title: string
  request(place: Place, step: number): Repeated['requests'][number]
  status: number
}

const press = JSON.stringify({ button_id: 'rollback', type: 'button_click' })

const shapes: Shape[] = [
  {
    name: 'presses',
    title: `Presses, ${CHANNELS} channels, ${CLIENTS} people`,
    request: ({ channel_id, card_id, person }) => ({
      method: 'POST',
      path: `/api/channels/${channel_id}/interactions`,
      body: `{"card_id":"${card_id}","trigger":${press}}`,
      person,
    }),
    status: 201,
  },
  {
    name: 'changes',
    title: `PATCHes, ${CHANNELS} channels, ${CLIENTS} clients`,
    request: ({ channel_id, card_id }, step) => ({
      method: 'PATCH',
      path: `${cardsPath(channel_id)}/${card_id}`,
      body: badgePatch(step),
    }),
    status: 200,
  },
]

function resting({ name, title, request, status }: Shape): Scenario {
  return {
    name,
    targets: ['channel-feed'],
    rounds: 3,
    goals: [goal('per_second', title, '/s', 0), goal('p99_ms', `${title}: p99`, 'ms', 1)],
    async run(target, context) {
      const { running, poster } = await startPosting(target, context, CLIENTS)
      const channels = await running.createChannels(context.quick ? 10 : CHANNELS)
      const ids = await poster.call('cards', { paths: channels.map(cardsPath) })
      const places = channels.map((channel_id, i) => ({
        channel_id,
        card_id: ids[i] ?? '',
        person: running.person,
      }))
      const requests = Array.from({ length: STEPS }, (_, step) => places.map(place => request(place, step)))
      return measureWrites(running, context, seconds =>
        poster.call('repeat', { requests: requests.flat(), status, seconds }),
      )
    },
  }
}

export const restingScenarios = shapes.map(resting)
