// The MCP server on stdio, for hosts that start it as a process. Nothing else may write to stdout.
import { type StdioServerHandle, serveStdio } from '@modelcontextprotocol/server/stdio'
import { createTools, type ToolOptions } from './tools.ts'

/** Serves until stdin ends or `close` is called. Either one ends the waits, and leaves their questions open. */
export function serveToolsOnStdio(options: ToolOptions): StdioServerHandle {
  return serveStdio(() => createTools(options), { onerror: options.failed })
}
