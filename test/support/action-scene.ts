// A new channel for each test, with calls for its header actions.
import { beforeEach } from 'vitest'
import { beginEpoch } from '../../server/feed/log/epochs.ts'
import type { HeaderAction } from '../../shared/header-action.ts'
import { createChannel } from './channels.ts'
import { actionsOf, watchChannel } from './pass.ts'
import { runWithOwner } from './running.ts'

export async function runActionScene() {
  const { service, ann } = await runWithOwner()
  const scene = {
    service,
    ann,
    channel_id: '',
    /** Of the channel's actions. */
    path: '',
    create: (body: unknown) => ann.key<HeaderAction & { channel_id: string }>('POST', scene.path, body),
    add: async (label: string, position = 0) => (await scene.create({ label, position })).body.id,
    list: async () => (await ann.session<HeaderAction[]>('GET', scene.path)).body,
    labels: async () => (await scene.list()).map(({ label }) => label),
    /** The actions as an open page has them. */
    async shown(): Promise<HeaderAction[]> {
      const viewer = await watchChannel(service.url, scene.channel_id, ann.api_key)
      viewer.leave()
      return actionsOf(viewer.doc)
    },
    /** Rebuilds the document from the rows. */
    async rebuild(): Promise<void> {
      await beginEpoch(service.sql, scene.channel_id, { epoch: 0 }, service.history.current)
      await service.feeds.get(scene.channel_id).refresh()
    },
  }
  beforeEach(async () => {
    scene.channel_id = await createChannel(ann)
    scene.path = `/channels/${scene.channel_id}/actions`
  })
  return scene
}
