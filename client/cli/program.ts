// The tree of commands.
import { Command } from 'commander'
import { addAskCommand } from './ask.ts'
import { addCancelCommand } from './cancel.ts'
import { addCompleteCommand } from './complete.ts'
import { addCompletionCommand } from './completion.ts'
import { addDecideCommand } from './decide.ts'
import { addDeleteCommand } from './delete.ts'
import { addHookCommand } from './hook.ts'
import { addListCommand } from './list.ts'
import { addLoginCommand } from './login.ts'
import { addLogoutCommand } from './logout.ts'
import { addMcpCommand } from './mcp.ts'
import { addPatchCommand } from './patch.ts'
import { addPushCommand } from './push.ts'
import { addExamples } from './session.ts'
import { addCommonFlags } from './settings.ts'
import { addTailCommand } from './tail.ts'
import { addVerifyCommand } from './verify.ts'
import { packageVersion } from './version.ts'
import { addWaitCommand } from './wait.ts'
import { addWatchCommand } from './watch.ts'

/** In the order of the help. */
const COMMANDS = [
  addLoginCommand,
  addLogoutCommand,
  addPushCommand,
  addPatchCommand,
  addDeleteCommand,
  addAskCommand,
  addWaitCommand,
  addCancelCommand,
  addDecideCommand,
  addHookCommand,
  addVerifyCommand,
  addListCommand,
  addWatchCommand,
  addTailCommand,
  addMcpCommand,
  addCompletionCommand,
  addCompleteCommand,
]

export function createProgram(): Command {
  const program = new Command('channel-feed')
    .description('Push cards to a Channel Feed, ask people, and act on their answers.')
    .version(packageVersion, '-V, --version', 'Print the version')
    .helpOption('-h, --help', 'Print this help')
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true })
    // The failure is reported once, by `report`.
    .configureOutput({ outputError: () => {} })
    .exitOverride()
  addExamples(
    program,
    'channel-feed login',
    "channel-feed push --text 'Backup finished' --status success",
    "channel-feed ask 'Deploy v42?' --choice Deploy --choice 'Not now' --expires 1h && ./deploy",
    'channel-feed tail',
  )
  addCommonFlags(program)
  for (const add of COMMANDS) add(program)
  return program
}
