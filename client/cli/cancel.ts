// `cancel`: closes a question for everyone.
import type { Command } from 'commander'
import { addExamples, openSession, questionOf } from './session.ts'

export function addCancelCommand(program: Command): void {
  const cancel = program
    .command('cancel')
    .description('Close a question for everyone')
    .argument('<handle>', 'The handle that ask printed')
    .action(async (handle: string, _: unknown, command: Command) => {
      const session = await openSession(command)
      const { output } = session
      const decision = await questionOf(session, handle).cancel()
      output.result(decision, null)
      output.note('The question is closed')
    })
  addExamples(cancel, 'channel-feed cancel 0f5c…/7d0c…')
}
