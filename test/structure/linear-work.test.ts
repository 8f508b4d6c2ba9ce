// Reading untrusted input takes linear time, so that one request can't block the process
// and one card can't freeze a page.
import { expect, test } from 'vitest'
import { rejectBadCharacters } from '../../shared/bad-characters.ts'
import { INPUT_TYPES, inputBlock } from '../../shared/blocks/input.ts'
import { checkValue } from '../../shared/form-block.ts'
import { isSingleEmoji } from '../../shared/text.ts'
import { signUpBody } from '../../shared/user.ts'
import { scanJson } from '../../web/builder/json-positions.ts'
import { linkParts } from '../../web/lib/link-parts.ts'
import { returnPath } from '../../web/lib/return-path.ts'
import { readAgent } from '../../web/lib/user-agent.ts'
import { messageOf } from '../support/blocks.ts'
import { growth } from '../support/growth.ts'

/** The longest may take a while on a busy machine. */
const PATIENT = { timeout: 60_000 }
const LENGTH = 100_000
/** Linear work has about 1, quadratic work about 8. */
const GROWTH_MAX = 4

/** A prefix, a repeated part, and a suffix that makes the match fail late. */
const HOSTILE: [string, string, string][] = [
  ['', ' ', 'x'],
  ['', '1', 'x'],
  ['', '-', 'x'],
  ['a@', '.', ' '],
  ['a@', 'a.', '@'],
  ['', 'a@', ''],
  ['', '.', '@x'],
  ['https://x/', ')', ''],
  ['https://x/', ')', 'x'],
  ['https://x/', '.)', ''],
  ['https://x/', '(', ')'],
  ['https://x/', '.', 'x'],
  ['', 'https://', ''],
  ['', 'https://x/) ', ''],
  ['', 'Version/1 ', ''],
  ['Mozilla/5.0 ', '(', ''],
  ['/', './', '/evil.example'],
  ['', '🏴\u{E0067}', ''],
  ['', '👩\u200D', ''],
  ['', '[', ''],
  ['[', '1,', ''],
  ['"', '\\u0000', '"'],
]

const field = inputBlock.schema.parse({ type: 'input', label: 'Field' })
const TASKS: [string, (text: string) => unknown][] = [
  ...INPUT_TYPES.map((input_type): [string, (text: string) => unknown] => {
    const long = { ...field, input_type, max_length: 2 * LENGTH }
    return [`checkValue of ${input_type}`, text => messageOf(() => checkValue(long, text, []))]
  }),
  ['signUpBody', email => signUpBody.safeParse({ email, password: 'long enough', name: email })],
  ['isSingleEmoji', isSingleEmoji],
  ['rejectBadCharacters', text => messageOf(() => rejectBadCharacters(text, [text]))],
  ['linkParts', linkParts],
  ['scanJson', scanJson],
  ['readAgent', readAgent],
  ['returnPath', returnPath],
]

test.each(TASKS)('%s takes linear time for hostile text', PATIENT, (_, work) => {
  for (const [beginning, repeated, end] of HOSTILE) {
    const textOf = (length: number) => beginning + repeated.repeat(length / repeated.length) + end
    expect(growth(work, textOf, LENGTH), `${beginning}${repeated}…${end}`).toBeLessThan(GROWTH_MAX)
  }
})
