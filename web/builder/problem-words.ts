// The errors of a card in words for people. The rules are those of the schemas in shared/; the API's messages are for programs.
// Pure.
import { ONE_KEY_RULE, WHO_RULE } from '../../shared/decision.ts'
import { type Invalid, REQUIRED } from '../../shared/invalid.ts'
import { BLOCK_KINDS, kindOf } from '../block-kinds/block-kinds.ts'
import { capitalized } from '../lib/capitalized.ts'
import { BUTTON_STYLE_NAMES, MORE_QUESTION_FIELDS } from './block-fields.ts'
import { getIn } from './card-value.ts'

type Fault = Pick<Invalid, 'path' | 'rule' | 'message'>

/** For fields that are missing or empty. */
const MISSING = new Map([
  ['alt', 'Enter a text'],
  ['blocks', 'Add a block'],
  ['buttons', 'Add a button'],
  ['content', 'Enter a text'],
  ['id', 'Enter an id'],
  ['key', 'Enter a key'],
  ['label', 'Enter a label'],
  ['options', 'Add an option'],
  ['rows', 'Add a row'],
  ['type', 'Choose a block type'],
  ['url', 'Enter an address'],
  ['value', 'Enter a value'],
])

/** What a list holds. */
const ITEMS = new Map([
  ['blocks', 'blocks'],
  ['buttons', 'buttons'],
  ['options', 'options'],
  ['rows', 'rows'],
  ['value', 'values'],
])

/** What people read for the values of a field, by the field's name. */
const NAMES = new Map<string, Record<string, string>>([
  ['style', BUTTON_STYLE_NAMES],
  ...[...BLOCK_KINDS.map(({ fields }) => fields), MORE_QUESTION_FIELDS].flatMap(fields =>
    Object.entries(fields).flatMap(([name, { names }]): [string, Record<string, string>][] =>
      names ? [[name, names]] : [],
    ),
  ),
])

/** `field`: its name. `found`: what the pattern of the rule has in brackets. */
type Words = (field: string, ...found: string[]) => string | undefined

const RULES: [rule: string | RegExp, words: Words | string][] = [
  [REQUIRED, field => MISSING.get(field)],
  ['are required', field => MISSING.get(field)],
  [WHO_RULE, 'Enter 1 to 50 e-mail addresses'],
  [ONE_KEY_RULE, 'Another question of this card has this key'],
  ['goes with a decision', 'Only the buttons of a question can ask for a comment'],
  ['must be the id of one of its buttons', 'Choose one of the buttons'],
  ['cannot be used together with expires_at', 'Choose one deadline'],
  ['must be an ISO 8601 timestamp', 'Enter a date and time, such as 2026-01-31T12:00:00Z'],
  ['must be one of the options', 'Choose one of the options'],
  ['must hold only values of the options', 'Choose only from the options'],
  ['must not repeat a value', 'Choose each option once'],
  ['must be a string, or an object with value and label', 'Enter a label and a value'],
  ['must be a valid HTTP or HTTPS URL', 'Enter an address that begins with https:// or http://'],
  ['must be an integer', 'Enter a whole number'],
  ['must be a string', 'Enter a text'],
  ['must be a boolean', 'Turn it on or off'],
  ['must not contain NUL', 'Remove the character that can’t be saved'],
  ['must be well-formed Unicode', 'Remove the character that can’t be saved'],
  [/^must be a whole number from 1 to \d+$/, 'Enter a time of at most 366 days'],
  [/^must be at most (\d+) characters$/, (_, max = '') => `Use at most ${number(max)} characters`],
  [/^must have 1 to (\d+) characters$/, (_, max = '') => `Use 1 to ${number(max)} characters`],
  [/^must be 1 to (\d+)$/, (_, max = '') => `Enter a number from 1 to ${number(max)}`],
  [/^must have 1 to (\d+) items$/, (field, max = '') => `Use 1 to ${number(max)} ${itemsOf(field)}`],
  [/^must have at most (\d+) items$/, (field, max = '') => `Use at most ${number(max)} ${itemsOf(field)}`],
  [/^must be one of (.+)$/, (field, values = '') => `Choose one of ${namesOf(field, values.split(', '))}`],
]

const number = (digits: string) => Number(digits).toLocaleString('en')
const itemsOf = (field: string) => ITEMS.get(field) ?? 'items'
const namesOf = (field: string, values: string[]) =>
  values
    .map(
      value =>
        NAMES.get(field)?.[value] ??
        (field === 'type' ? kindOf(value)?.name : undefined) ??
        capitalized(value),
    )
    .join(', ')

/** The API's message for a rule that isn't known here. */
export function problemWords({ path, rule, message }: Fault): string {
  const last = path.at(-1)
  // An option may be only a label.
  const field = typeof last === 'number' ? 'label' : String(last)
  if (rule === 'must be unique in the card')
    return path.includes('buttons') ? 'Another button has this id' : 'Another block has this id'
  for (const [known, words] of RULES) {
    const found = typeof known === 'string' ? known === rule && [] : known.exec(rule)
    if (!found) continue
    return (typeof words === 'string' ? words : words(field, ...found.slice(1))) ?? message
  }
  return message
}

/** The words, after what they are about. */
export function placedWords(fault: Fault, card: unknown): string {
  const [list, at] = fault.path
  const words = problemWords(fault)
  if (list === 'status') return `Status: ${words}`
  if (list !== 'blocks' || typeof at !== 'number' || words === fault.message) return words
  const name = kindOf(getIn(card, ['blocks', at, 'type']))?.name ?? 'Unknown block'
  return `${name}, block ${at + 1}: ${words}`
}
