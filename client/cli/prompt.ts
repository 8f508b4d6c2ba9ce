// Questions in a terminal. They are written to stderr, because stdout carries data only.
import { createInterface, type Interface } from 'node:readline'
import { Writable } from 'node:stream'
import { interrupted, wrongUsage } from './failure.ts'

export class Prompt {
  readonly #lines: Interface
  #hidden = false

  /** `instead`: what to do without a terminal. */
  constructor(instead: string) {
    if (!process.stdin.isTTY) throw wrongUsage(instead)
    const echo = new Writable({
      write: (chunk, _, done) => {
        if (!this.#hidden) process.stderr.write(chunk)
        done()
      },
    })
    this.#lines = createInterface({ input: process.stdin, output: echo, terminal: true })
  }

  /** An empty line means `fallback`. */
  async ask(question: string, fallback = ''): Promise<string> {
    const line = await this.#read(fallback === '' ? `${question}: ` : `${question} [${fallback}]: `)
    return line || fallback
  }

  /** What is typed stays off the screen. */
  async askHidden(question: string): Promise<string> {
    process.stderr.write(`${question}: `)
    this.#hidden = true
    try {
      return await this.#read('')
    } finally {
      this.#hidden = false
      process.stderr.write('\n')
    }
  }

  close(): void {
    this.#lines.close()
  }

  #read(question: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const stop = () => reject(interrupted())
      this.#lines.once('SIGINT', stop).once('close', stop)
      this.#lines.question(question, line => {
        this.#lines.off('SIGINT', stop).off('close', stop)
        resolve(line.trim())
      })
    })
  }
}
