import { vi } from 'vitest'
import type { Answer, TestService } from './service.ts'
import { until } from './viewer.ts'

/** Sends requests whose mutations wait for the same turn of the channel, in this order. */
export async function inOneTurn(
  { feeds }: TestService,
  channel_id: string,
  requests: (() => Promise<Answer>)[],
): Promise<Answer[]> {
  const writes = vi.spyOn(feeds.get(channel_id).writer, 'write')
  const answers: Promise<Answer>[] = []
  await feeds.whilePaused([channel_id], async () => {
    for (const request of requests) {
      const before = writes.mock.calls.length
      answers.push(request())
      await until(() => writes.mock.calls.length > before, 'its mutation waits')
    }
  })
  writes.mockRestore()
  return Promise.all(answers)
}
