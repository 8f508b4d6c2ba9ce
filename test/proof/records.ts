// The files of a run: JSON lines with times of one monotonic clock, which all processes of the machine share.
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'

/** Microseconds since the machine started. */
export const now = (): number => Number(process.hrtime.bigint() / 1000n)

export type JsonLines<T> = { write(record: T): void; end(): Promise<void> }

export function writeJsonLines<T>(path: string): JsonLines<T> {
  const file = createWriteStream(path)
  return {
    write: record => void file.write(`${JSON.stringify(record)}\n`),
    end: () => new Promise(resolve => file.end(resolve)),
  }
}

/** The type is that of the process that wrote the file. An empty list if there is no such file. */
export async function readJsonLines<T>(path: string): Promise<T[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))
}
