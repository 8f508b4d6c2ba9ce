// What instances report about the bus between them.
import { readMetric } from '../../support/metrics.ts'
import { callTo, type TestService } from '../../support/service.ts'
import { until } from '../../support/viewer.ts'

/** How many turns the instance took over, by way. */
export const followedTurns = (service: TestService, source: 'bus' | 'log') =>
  readMetric(service, `channel_feed_followed_turns_total{source="${source}"}`)

/** Resolves when both instances report this state of the other ones. */
export function untilBoth(
  instances: { here: TestService; there: TestService },
  state: string,
): Promise<void> {
  const stateOf = async ({ url }: TestService) =>
    (await callTo(url)<{ other_instances: string }>('GET', '/readyz')).body.other_instances
  return until(async () => {
    const states = await Promise.all(Object.values(instances).map(stateOf))
    return states.every(is => is === state)
  }, `both are ${state}`)
}
