// A webhook receiver that keeps requests apart by path.
import { startReceiver } from '../../support/receiver.ts'

export type Hook = {
  interaction_id: string
  card_id: string | null
  timestamp: string
  trigger: { type: string } & Record<string, unknown>
  card_state: ({ id: string; type: string } & Record<string, unknown>)[] | null
}

export type Hooks = Awaited<ReturnType<typeof startHooks>>

export async function startHooks() {
  const receiver = await startReceiver()
  /** What has arrived at a path so far. */
  const came = (path: string): Hook[] =>
    receiver.received.filter(one => one.path === path).map(one => JSON.parse(one.body))
  return Object.assign(receiver, {
    came,
    /** The fields of a channel whose webhook goes to this path. */
    at: (path: string) => ({ webhook_url: receiver.url + path }),
    /** What arrived at a path, once there are so many. */
    async hooks(path: string, count: number): Promise<Hook[]> {
      while (came(path).length < count) await receiver.count(receiver.received.length + 1)
      return came(path)
    },
  })
}

/** The value of a field in a webhook request. */
export function valueIn(hook: Hook | undefined, blockId: string): unknown {
  return hook?.card_state?.find(({ id }) => id === blockId)?.value
}
