// `wait`: continues to wait for a question.
import type { Command } from 'commander'
import { endInterrupted, printAnswer } from './answer.ts'
import { parseTimeout } from './durations.ts'
import { abortAtInterrupt } from './interruption.ts'
import { addExamples, openSession, questionOf } from './session.ts'

type WaitFlags = { timeout?: number }

export function addWaitCommand(program: Command): void {
  const wait = program
    .command('wait')
    .description('Wait for a question that was asked before; ends like ask')
    .argument('<handle>', 'The handle that ask printed')
    .option('--timeout <time>', 'Stop waiting after this time, such as 90s, 10m or 1h', parseTimeout)
    .action(async (handle: string, flags: WaitFlags, command: Command) => {
      const session = await openSession(command)
      const { output } = session
      const signal = abortAtInterrupt()
      const question = questionOf(session, handle)
      try {
        const { state, url } = await question.get()
        if (state === 'waiting') output.note(`Waiting: ${url}`)
        const timeout = flags.timeout && flags.timeout * 1_000
        printAnswer(output, await question.wait({ timeout, signal }))
      } catch (error) {
        if (signal.aborted) endInterrupted(output, handle)
        throw error
      }
    })
  addExamples(wait, 'channel-feed wait 0f5c…/7d0c… --timeout 10m')
}
