// A new channel for each test, on two instances, with its event streams.
import { beforeEach } from 'vitest'
import { createAccount } from './account.ts'
import { createChannel } from './channels.ts'
import { type Listener, listenTo } from './event-stream.ts'
import { runInstance, runService } from './running.ts'

export async function runEventScene() {
  const service = await runService({ WORKSPACE_LIMIT: '0' })
  const other = await runInstance(service)
  const ann = await createAccount(service)
  const scene = {
    service,
    other,
    ann,
    channel_id: '',
    cards: '',
    follow: (last_id?: string, url = service.url): Promise<Listener> =>
      listenTo(url, ann.api_key, scene.channel_id, last_id),
  }
  beforeEach(async () => {
    scene.channel_id = await createChannel(ann)
    scene.cards = `/channels/${scene.channel_id}/cards`
  })
  return scene
}

/** The last part of a path. */
export const idOf = (path: string) => path.split('/').at(-1)
