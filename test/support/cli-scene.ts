// A service with an interactive channel, for the command line.
import type { Card } from '../../shared/card.ts'
import type { FullDecision } from '../../shared/decision.ts'
import { answer } from './answering.ts'
import { createChannel } from './channels.ts'
import { cliEnv, runCli, startCli } from './cli.ts'
import { runWithOwner } from './running.ts'

export type CliScene = Awaited<ReturnType<typeof buildCliScene>>

export async function buildCliScene(serviceEnv: Record<string, string> = {}) {
  const { service, ann } = await runWithOwner(serviceEnv)
  const channel = await createChannel(ann, { name: 'Deployments', mode: 'interactive' })
  /** Of a shell with the owner's key and the channel. */
  const env = (more: Record<string, string> = {}) =>
    cliEnv({
      CHANNEL_FEED_URL: service.url,
      CHANNEL_FEED_KEY: ann.api_key,
      CHANNEL_FEED_CHANNEL: channel,
      ...more,
    })
  return {
    service,
    ann,
    channel,
    env,
    run: (args: string[], input?: string) => runCli(args, { env: env(), input }),
    start: (args: string[], input?: string) => startCli(args, { env: env(), input }),
    /** The owner presses a choice on the page. */
    press: async (handle: string, button_id: string, comment?: string) =>
      answer(ann, await readQuestion(handle), { button_id, comment }),
    readQuestion,
    readCard,
  }

  async function readQuestion(handle: string): Promise<FullDecision> {
    const path = `/channels/${handle.replace('/', '/decisions/')}`
    return (await ann.key<FullDecision>('GET', path)).body
  }

  /** By id, or `by-key/…`. */
  async function readCard(id: string): Promise<Card> {
    return (await ann.key<Card>('GET', `/channels/${channel}/cards/${id}`)).body
  }
}
