// The tools on stdio, as a host starts them. The command `channel-feed mcp` does the same.
import { serveToolsOnStdio } from '../../client/mcp/stdio.ts'

serveToolsOnStdio({
  service: {},
  channel: process.env.CHANNEL_FEED_CHANNEL,
  version: '0.0.0',
  failed: error => console.error(error),
})
