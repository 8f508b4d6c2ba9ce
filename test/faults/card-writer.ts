// Posts cards while a database is being replaced.
import { setTimeout as delay } from 'node:timers/promises'
import { withKey } from '../support/account.ts'

/** Posts cards one after another and records the texts that returned 201, with their times. */
export class CardWriter {
  readonly acknowledged: { text: string; sent_at: number }[] = []
  #stopped = false
  readonly #done: Promise<void>

  constructor(url: string, api_key: string, channel_id: string) {
    this.#done = this.#write(url, api_key, channel_id)
  }

  since(at: number): string[] {
    return this.acknowledged.filter(({ sent_at }) => sent_at > at).map(({ text }) => text)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#done
  }

  async #write(url: string, api_key: string, channel_id: string): Promise<void> {
    const call = withKey(url, api_key)
    for (let i = 0; !this.#stopped; i++) {
      const [text, sent_at] = [`${url} ${i}`, performance.now()]
      const blocks = [{ type: 'text', id: 't', content: text }]
      const answer = await call('POST', `/channels/${channel_id}/cards`, { blocks }).catch(() => null)
      if (answer?.status === 201) this.acknowledged.push({ text, sent_at })
      // Slowly enough for all cards to stay on live pages.
      await delay(50)
    }
  }
}
