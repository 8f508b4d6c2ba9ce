// Files and standard input.
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { wrongUsage } from './failure.ts'

const STDIN = '-'

/** The text of a file, or of stdin for `-`. */
export async function readText(file: string): Promise<string> {
  if (file === STDIN) return await text(process.stdin)
  return await readFile(file, 'utf8').catch(error => {
    throw wrongUsage(`Can't read ${file}: ${error.message}`)
  })
}

/** `-` if something is piped in; null on a terminal. */
export const pipedInput = () => (process.stdin.isTTY ? null : STDIN)

export function parseJsonText(json: string, file: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    throw wrongUsage(`${file === STDIN ? 'Standard input' : file} isn't JSON: ${String(error)}`)
  }
}

/** The two sides of `name=value`. */
export function splitPair(pair: string, flag: string): { key: string; value: string } {
  const at = pair.indexOf('=')
  if (at < 1) throw wrongUsage(`${flag} needs name=value, not "${pair}"`)
  return { key: pair.slice(0, at), value: pair.slice(at + 1) }
}

const WORDS = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
])

/** `field=text`, `field=true`, `field=false`, `field=null`, or `field:=` with any JSON. */
export function parseAssignment(pair: string, flag: string): [field: string, value: unknown] {
  const { key, value } = splitPair(pair, flag)
  if (key.endsWith(':')) return [key.slice(0, -1), parseJsonText(value, `The value of ${flag} ${key}=`)]
  return [key, WORDS.has(value) ? WORDS.get(value) : value]
}

/** For flags that can be repeated. */
export const collect = (value: string, earlier: string[] = []) => [...earlier, value]
