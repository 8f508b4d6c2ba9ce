// The number of connections that a limit refused, from the metrics.
export async function refusedConnections(
  url: string,
  cap: 'address' | 'channel' | 'event_stream',
): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const line = `channel_feed_refused_connections_total{cap="${cap}"} `
  const found = text.split('\n').find(metric => metric.startsWith(line))
  return Number(found?.slice(line.length) ?? 0)
}
