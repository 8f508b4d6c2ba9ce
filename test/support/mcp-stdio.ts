// The tools on stdio, as a host starts them. The command `channel-feed mcp` does the same.
import { ChannelFeed } from '../../client/channel-feed.ts'
import { serveToolsOnStdio } from '../../client/mcp/stdio.ts'

serveToolsOnStdio({
  client: new ChannelFeed(),
  channel: process.env.CHANNEL_FEED_CHANNEL,
  version: '0.0.0',
  failed: error => console.error(error),
})
