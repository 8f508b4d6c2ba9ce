// `logout`: removes a stored login.
import type { Command } from 'commander'
import { removeProfile } from './config.ts'
import { Output } from './output.ts'
import { type CommonFlags, profileName } from './settings.ts'

export function addLogoutCommand(program: Command): void {
  program
    .command('logout')
    .description('Remove the stored key and address')
    .action(async (_: unknown, command: Command) => {
      const flags = command.optsWithGlobals<CommonFlags>()
      const output = new Output(flags)
      const name = profileName(flags)
      const removed = await removeProfile(name, output)
      output.result({ profile: name, removed }, null)
      output.note(
        removed ? `Logged out of "${name}". The key itself still works.` : `No login named "${name}"`,
      )
    })
}
