// The exit codes, and the failures that the command line itself finds.

export const EXIT = {
  done: 0,
  /** A person pressed another choice; or a signed decision isn't valid or not approved. */
  not_approved: 1,
  usage: 2,
  expired: 3,
  no_permission: 4,
  refused: 5,
  limited: 6,
  unreachable: 7,
  still_waiting: 8,
  gone: 9,
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** `code`: for programs, in the JSON of an error. */
export class CliFailure extends Error {
  readonly exit: ExitCode
  readonly code: string

  constructor(exit: ExitCode, code: string, message: string) {
    super(message)
    this.exit = exit
    this.code = code
  }
}

/** The message names the flag or argument, and says what to do. */
export const wrongUsage = (message: string) => new CliFailure(EXIT.usage, 'usage', message)

export const interrupted = () => new CliFailure(EXIT.interrupted, 'interrupted', 'Interrupted')
