// What people read beside a field that the API would refuse.
import { expect, test } from 'vitest'
import type { Path } from '../../../shared/invalid.ts'
import { setIn } from '../../../web/builder/card-value.ts'
import { formatJson } from '../../../web/builder/format-json.ts'
import { parseCard } from '../../../web/builder/parse-card.ts'
import { placedWords, problemWords } from '../../../web/builder/problem-words.ts'

const long = (length: number) => 'x'.repeat(length)
const many = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item)
const row = { key: 'a', value: 'b' }

const card = {
  blocks: [
    { type: 'text', id: 'text', content: 'Text' },
    { type: 'badge', id: 'badge', label: 'Badge' },
    { type: 'kv', id: 'kv', rows: [row] },
    {
      type: 'button',
      id: 'buttons',
      buttons: [
        { id: 'yes', label: 'Yes' },
        { id: 'no', label: 'No' },
      ],
      decision: { approves: 'yes' },
    },
    { type: 'image', id: 'image', url: 'https://example.com/a.png' },
    { type: 'input', id: 'input', label: 'Input' },
    { type: 'select', id: 'select', label: 'Select', options: ['a', 'b'] },
    { type: 'multiselect', id: 'many', options: ['a', 'b'] },
    { type: 'toggle', id: 'toggle', label: 'Toggle' },
  ],
}
const DECISION = [3, 'decision'] as const

test.each<[path: Path, value: unknown, words: string]>([
  [[0, 'content'], undefined, 'Enter a text'],
  [[0, 'content'], long(10_001), 'Use at most 10,000 characters'],
  [[0, 'content'], 'a\0', 'Remove the character that can’t be saved'],
  [[0, 'content'], '\ud800', 'Remove the character that can’t be saved'],
  [[0, 'size'], 'huge', 'Choose one of Small, Medium, Large, Extra large'],
  [[0, 'id'], '', 'Enter an id'],
  [[0, 'id'], long(101), 'Use at most 100 characters'],
  [[0, 'id'], 'badge', 'Another block has this id'],
  [[0, 'type'], undefined, 'Choose a block type'],
  [[1, 'label'], '', 'Enter a label'],
  [[1, 'variant'], 'loud', 'Choose one of Default, Success, Warning, Error, Info, Pending'],
  [[2, 'rows'], undefined, 'Add a row'],
  [[2, 'rows'], many(201, row), 'Use at most 200 rows'],
  [[2, 'rows', 0, 'value'], undefined, 'Enter a value'],
  [[2, 'rows', 0, 'key'], 5, 'Enter a text'],
  [[3, 'buttons'], undefined, 'Add a button'],
  [[3, 'buttons'], [], 'Use 1 to 25 buttons'],
  [[3, 'buttons', 0, 'label'], '', 'Enter a label'],
  [[3, 'buttons', 0, 'style'], 'loud', 'Choose one of Primary, Secondary, Danger'],
  [[3, 'buttons', 1, 'id'], 'yes', 'Another button has this id'],
  [[3, 'buttons', 1, 'comment'], 'maybe', 'Choose one of None, Optional, Required'],
  [[...DECISION, 'who'], [], 'Enter 1 to 50 e-mail addresses'],
  [[...DECISION, 'who'], ['ann'], 'Enter 1 to 50 e-mail addresses'],
  [[...DECISION, 'expires_in'], 'two', 'Enter a time of at most 366 days'],
  [[...DECISION, 'expires_in'], 0, 'Enter a time of at most 366 days'],
  [[...DECISION, 'expires_at'], 'soon', 'Enter a date and time, such as 2026-01-31T12:00:00Z'],
  [[...DECISION, 'approves'], 'maybe', 'Choose one of the buttons'],
  [[...DECISION, 'key'], long(256), 'Use 1 to 255 characters'],
  [[...DECISION, 'comment'], 'maybe', 'Choose one of None, Optional, Required'],
  [[...DECISION, 'if_changed'], 'wait', 'Choose one of Presses still count, People look again'],
  [[4, 'url'], '', 'Enter an address'],
  [[4, 'url'], 'ftp://example.com', 'Enter an address that begins with https:// or http://'],
  [[5, 'input_type'], 'colour', 'Choose one of Text, Number, Email, URL, Date, Time, Password'],
  [[5, 'max_length'], 0, 'Enter a number from 1 to 10,000'],
  [[5, 'max_length'], 'ten', 'Enter a whole number'],
  [[5, 'required'], 'yes', 'Turn it on or off'],
  [[6, 'options'], [], 'Use 1 to 100 options'],
  [[6, 'options', 0], '', 'Enter a label'],
  [[6, 'options', 0], { value: 'a', label: '' }, 'Enter a label'],
  [[6, 'value'], 'c', 'Choose one of the options'],
  [[7, 'value'], ['c'], 'Choose only from the options'],
  [[7, 'value'], ['a', 'a'], 'Choose each option once'],
])('the field at %j with the value %j says “%s”', (path, value, words) => {
  const { problems } = parseCard(formatJson(setIn(card, ['blocks', ...path], value)))
  expect(problems.map(problemWords)).toContain(words)
})

test.each<[object, string, string]>([
  [
    { ...card, status: 'soon' },
    'Choose one of Default, Success, Warning, Error, Pending',
    'Status: Choose one of',
  ],
  [{ blocks: [{ type: 'badge', label: '' }] }, 'Enter a label', 'Badge, block 1: Enter a label'],
  [{ blocks: [] }, 'Use 1 to 100 blocks', 'Use 1 to 100 blocks'],
  [{}, 'Add a block', 'Add a block'],
  [
    { blocks: [{ type: 'button', buttons: [{ label: 'Go', comment: 'none' }] }] },
    'Only the buttons of a question',
    'Buttons, block 1: Only',
  ],
  [{ blocks: ['text'] }, 'blocks[0] must be an object', 'blocks[0] must be an object'],
])('the card %j says “%s”, in the list “%s”', (value, words, placed) => {
  const [problem] = parseCard(formatJson(value)).problems
  if (!problem) throw new Error('the card is valid')
  expect(problemWords(problem)).toContain(words)
  expect(placedWords(problem, value)).toContain(placed)
})
