// A receiver of webhooks, and what it was told by them.
import { type Receiver, startReceiver } from '../../support/receiver.ts'

export type Hook = {
  interaction_id: string
  card_id: string | null
  timestamp: string
  trigger: { type: string } & Record<string, unknown>
  card_state: ({ id: string; type: string } & Record<string, unknown>)[] | null
}

export type Hooks = Receiver & {
  /** For a channel's webhook_url: each path is told apart. */
  at: (path: string) => { webhook_url: string }
  /** What came to a path, once so many have come. */
  hooks: (path: string, count: number) => Promise<Hook[]>
  /** What has come so far. */
  came: (path: string) => Hook[]
}

export async function startHooks(): Promise<Hooks> {
  const receiver = await startReceiver()
  const came = (path: string): Hook[] =>
    receiver.received.filter(one => one.path === path).map(one => JSON.parse(one.body))
  const hooks = async (path: string, count: number) => {
    while (came(path).length < count) await receiver.hasReceived(receiver.received.length + 1)
    return came(path)
  }
  return Object.assign(receiver, {
    at: (path: string) => ({ webhook_url: receiver.url + path }),
    hooks,
    came,
  })
}

/** The value of a field, as the webhook tells it. */
export function valueIn(hook: Hook | undefined, blockId: string): unknown {
  return hook?.card_state?.find(({ id }) => id === blockId)?.value
}
