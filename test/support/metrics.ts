// Reads the service's metrics.

/** The value of a metric, given with its labels as in the text; 0 if it is missing. */
export async function readMetric({ url }: { url: string }, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const line = text.split('\n').find(line => line.startsWith(`${name} `))
  return Number(line?.slice(name.length) ?? 0)
}

/** The number of connections that a limit rejected. */
export const refusedConnections = (url: string, cap: 'address' | 'channel' | 'event_stream' | 'wait') =>
  readMetric({ url }, `channel_feed_refused_connections_total{cap="${cap}"}`)
