// A crowd of viewers beside those that the run watches: they read nothing, ask for the document without end, or all
// return at once.
import type { Crowd } from '../load/crowd.ts'
import { startRemote } from '../load/remote.ts'
import { type Begin, instanceOf } from './nemesis.ts'

const VIEWERS = { 'stop reading': 100, flood: 20, 'return at once': 500 }

export const viewers: Begin<'viewers'> = async (stage, fault) => {
  const { how, channel } = fault
  const { url, name } = instanceOf(stage, fault)
  const crowd = await startRemote<Crowd>(stage.supervisor, 'crowd')
  const channel_id = stage.scene.channel_ids[channel] ?? ''
  const opened = await crowd.call('open', {
    how,
    viewers: VIEWERS[how],
    url: `${url.replace('http', 'ws')}/sync/${channel_id}?token=${stage.scene.api_key}`,
  })
  let effect: string | null = null
  return {
    async end() {
      effect = await crowd.call('end', null)
      await crowd.process.kill()
    },
    evidence: () => (effect === null ? null : `${opened} viewers of ${name}: ${effect}`),
  }
}
