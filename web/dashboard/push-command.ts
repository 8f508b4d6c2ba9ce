// The shell command that pushes a first card.

export function pushCommand(origin: string, channelId: string, key: string): string {
  const card = JSON.stringify({
    blocks: [{ type: 'text', content: 'Hello from curl' }],
    status: 'success',
  })
  return [
    `curl -X POST ${origin}/api/v1/channels/${channelId}/cards \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${card}'`,
  ].join('\n')
}
