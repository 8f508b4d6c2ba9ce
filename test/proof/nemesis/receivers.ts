// The webhook receiver hangs, dies in its answer, redirects, resets the connection, or answers a byte a second.
import type { Begin } from './nemesis.ts'

export const receivers: Begin<'receivers'> = async ({ receiver }, { how }) => {
  await receiver.call('behave', how)
  let felt = 0
  return {
    async end() {
      felt = await receiver.call('behave', 'answer')
    },
    evidence: () => (felt > 0 ? `${felt} deliveries met a receiver with: ${how}` : null),
  }
}
