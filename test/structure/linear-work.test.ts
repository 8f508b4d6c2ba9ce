// The time to read what anyone may send grows with its length and no faster: one request must not block the process,
// and one card must not freeze a page.
import { expect, test } from 'vitest'
import { refuseBadCharacters } from '../../shared/bad-characters.ts'
import { INPUT_TYPES, inputBlock } from '../../shared/block.ts'
import { checkValue } from '../../shared/card-state.ts'
import { isSingleEmoji } from '../../shared/text.ts'
import { signUpBody } from '../../shared/user.ts'
import { scanJson } from '../../web/builder/json-positions.ts'
import { linkParts } from '../../web/lib/link-parts.ts'
import { returnPath } from '../../web/lib/return-path.ts'
import { readAgent } from '../../web/lib/user-agent.ts'
import { messageOf } from '../support/blocks.ts'
import { growth } from '../support/growth.ts'

/** A busy machine may take long over the longest of them. */
const PATIENT = { timeout: 60_000 }
const LENGTH = 100_000
/** Linear work has about 1, quadratic work about 8. */
const GROWTH_MAX = 4

/** A beginning, what is repeated after it, and an end that lets a match fail late. */
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

const field = inputBlock.parse({ type: 'input', label: 'Field' })
const TASKS: [string, (text: string) => unknown][] = [
  ...INPUT_TYPES.map((input_type): [string, (text: string) => unknown] => {
    const long = { ...field, input_type, max_length: 2 * LENGTH }
    return [`checkValue of ${input_type}`, text => messageOf(() => checkValue(long, text, []))]
  }),
  ['signUpBody', email => signUpBody.safeParse({ email, password: 'long enough', name: email })],
  ['isSingleEmoji', isSingleEmoji],
  ['refuseBadCharacters', text => messageOf(() => refuseBadCharacters(text, [text]))],
  ['linkParts', linkParts],
  ['scanJson', scanJson],
  ['readAgent', readAgent],
  ['returnPath', returnPath],
]

test.each(TASKS)('%s takes time in proportion to the length of a hostile text', PATIENT, (_, work) => {
  for (const [beginning, repeated, end] of HOSTILE) {
    const textOf = (length: number) => beginning + repeated.repeat(length / repeated.length) + end
    expect(growth(work, textOf, LENGTH), `${beginning}${repeated}…${end}`).toBeLessThan(GROWTH_MAX)
  }
})
