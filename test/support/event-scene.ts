// A new channel for each test, on two instances, with event streams that close after the test.
import { beforeEach } from 'vitest'
import { createAccount } from './account.ts'
import { createChannel } from './channels.ts'
import { type Listener, listenTo } from './event-stream.ts'
import { runInstance, runService } from './running.ts'

export async function runEventScene() {
  const service = await runService({ WORKSPACE_LIMIT: '0' })
  const other = await runInstance(service)
  const ann = await createAccount(service)
  const open: Listener[] = []
  const scene = {
    service,
    other,
    ann,
    channel_id: '',
    cards: '',
    async follow(last_id?: string, url = service.url): Promise<Listener> {
      const stream = await listenTo(url, ann.api_key, scene.channel_id, last_id)
      open.push(stream)
      return stream
    },
  }
  beforeEach(async () => {
    scene.channel_id = await createChannel(ann)
    scene.cards = `/channels/${scene.channel_id}/cards`
    return () => {
      for (const stream of open.splice(0)) stream.leave()
    }
  })
  return scene
}

/** The last part of a path. */
export const idOf = (path: string) => path.split('/').at(-1)
