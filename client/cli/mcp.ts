// `mcp`: the MCP server on stdin and stdout, for hosts that start it as a process.
import { once } from 'node:events'
import type { Command } from 'commander'
import { addExamples, openSession } from './session.ts'
import { keyFor } from './settings.ts'
import { packageVersion } from './version.ts'

export function addMcpCommand(program: Command): void {
  const mcp = program
    .command('mcp')
    .description('Serve the tools of the Model Context Protocol on stdin and stdout')
    .action(async (_: unknown, command: Command) => {
      const { output, settings } = await openSession(command)
      const { serveToolsOnStdio } = await import('../mcp/stdio.ts')
      const ended = once(process.stdin, 'close')
      serveToolsOnStdio({
        service: { url: settings.url, key: keyFor(settings) },
        channel: settings.channel ?? undefined,
        version: packageVersion,
        failed: error => output.warn(error instanceof Error ? error.message : String(error)),
      })
      output.progress('Serving on stdin and stdout, for a host that starts this command. Ctrl-C ends it.')
      await ended
    })
  addExamples(mcp, 'claude mcp add feed -- npx -y channel-feed mcp')
}
