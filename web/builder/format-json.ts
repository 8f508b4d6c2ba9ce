// Formats JSON as people write it: what fits stays on one line, the rest is indented by two spaces.

const WIDTH = 84
const JSON_WORDS = { true: 'true', false: 'false', null: 'null' }

export function formatJson(value: unknown, words = JSON_WORDS): string {
  return format(value, 0, 0, words)
}

/** `used` is the width of the line before the value. */
function format(value: unknown, indent: number, used: number, words: typeof JSON_WORDS): string {
  if (value === true || value === false) return words[`${value}`]
  // JSON.stringify also turns 1e999 into null.
  if (value === null || value === Infinity || value === -Infinity) return words.null
  if (typeof value !== 'object') return JSON.stringify(value)
  const isList = Array.isArray(value)
  const items = isList
    ? value.map(item => format(item, indent + 2, 1, words))
    : Object.entries(value).flatMap(([name, field]) => {
        const head = `${JSON.stringify(name)}: `
        return field === undefined ? [] : head + format(field, indent + 2, head.length + 1, words)
      })
  const [left, right] = isList ? '[]' : '{}'
  if (items.length === 0) return `${left}${right}`
  const space = isList ? '' : ' '
  const line = `${left}${space}${items.join(', ')}${space}${right}`
  // The card itself is never on one line. An item with several lines is too long for one.
  if (indent > 0 && indent + used + line.length <= WIDTH) return line
  const inner = ' '.repeat(indent + 2)
  return `${left}\n${items.map(item => inner + item).join(',\n')}\n${' '.repeat(indent)}${right}`
}
