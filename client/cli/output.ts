// What the command line prints: data on stdout, everything else on stderr.
import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]
type Stream = NodeJS.WriteStream & { fd: 1 | 2 }

export type OutputFlags = { json?: boolean; quiet?: boolean; color?: boolean }

export class Output {
  readonly json: boolean
  readonly #quiet: boolean
  readonly #color: boolean

  constructor({ json = false, quiet = false, color = true }: OutputFlags) {
    this.json = json
    this.#quiet = quiet
    this.#color = color
  }

  /** A line of data. */
  line(text: string): void {
    process.stdout.write(`${text}\n`)
  }

  /** With `--json`, the value in one line; otherwise `text`, if there is any. */
  result(value: unknown, text: string | null): void {
    if (this.json) this.line(JSON.stringify(value))
    else if (text !== null) this.line(text)
  }

  /** For people; silent with `--quiet`. */
  note(text: string): void {
    if (!this.#quiet) this.warn(text)
  }

  /** For people, even with `--quiet`. */
  warn(text: string): void {
    process.stderr.write(`${text}\n`)
  }

  /** For people who look at it now. */
  progress(text: string): void {
    if (process.stderr.isTTY) this.note(text)
  }

  style(style: Style, text: string, stream: Stream = process.stdout): string {
    return this.#color && hasColor(stream) ? styleText(style, text, { validateStream: false }) : text
  }
}

/** NO_COLOR wins over FORCE_COLOR, as in the help of commander. */
export function hasColor(stream: NodeJS.WriteStream): boolean {
  const { NO_COLOR = '', FORCE_COLOR = '', TERM } = process.env
  if (NO_COLOR !== '' || FORCE_COLOR === '0' || FORCE_COLOR === 'false') return false
  return FORCE_COLOR !== '' || (stream.isTTY && TERM !== 'dumb')
}

/**
 * A reader that has left, such as `head`, ends the command quietly. A command that has already set its exit code keeps
 * it: a choice that doesn't approve must not become 0 when the reader has left.
 */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit()
  })
  // Without a reader of stderr, an error can be told to no one.
  process.stderr.on('error', () => {})
}
