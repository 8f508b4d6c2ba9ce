// Formats JSON as people write it: what fits stays on one line, the rest is indented by two spaces.

const WIDTH = 84
const JSON_WORDS = { true: 'true', false: 'false', null: 'null' }
type Words = typeof JSON_WORDS

export function formatJson(value: unknown, words: Words = JSON_WORDS): string {
  return lines(value, 0, 0, words)
}

/** `used` is the width of the line before the value. */
function lines(value: unknown, indent: number, used: number, words: Words): string {
  const short = oneLine(value, words)
  if (typeof value !== 'object' || value === null) return short
  // The card itself is never on one line.
  if (indent > 0 && indent + used + short.length <= WIDTH) return short
  const inner = ' '.repeat(indent + 2)
  const list = Array.isArray(value)
  const items = list
    ? value.map(item => lines(item, indent + 2, 1, words))
    : fieldsOf(value).map(([name, field]) => {
        const head = `${JSON.stringify(name)}: `
        return head + lines(field, indent + 2, head.length + 1, words)
      })
  const [left, right] = list ? '[]' : '{}'
  if (items.length === 0) return `${left}${right}`
  return `${left}\n${items.map(item => inner + item).join(',\n')}\n${' '.repeat(indent)}${right}`
}

function oneLine(value: unknown, words: Words): string {
  if (value === true || value === false) return words[`${value}`]
  // JSON.stringify also turns 1e999 into null.
  if (value === null || value === Infinity || value === -Infinity) return words.null
  if (Array.isArray(value)) return `[${value.map(item => oneLine(item, words)).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  const fields = fieldsOf(value).map(([name, field]) => `${JSON.stringify(name)}: ${oneLine(field, words)}`)
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}

const fieldsOf = (value: object): [string, unknown][] =>
  Object.entries(value).filter(([, field]) => field !== undefined)
