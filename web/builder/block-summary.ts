// Sums up a block in a few words, even if it's invalid.
import { isJsonObject } from '../../shared/json-object.ts'
import { asList } from './card-value.ts'

const LENGTH_MAX = 80

export function summaryOf(block: unknown): string {
  if (!isJsonObject(block)) return JSON.stringify(block) ?? ''
  const { content, label, url, rows, buttons, options } = block
  if (block.type === 'kv') return namesOf(rows, 'key')
  if (block.type === 'button') return namesOf(buttons, 'label')
  const text = [content, label, url].find(field => typeof field === 'string' && field !== '')
  return typeof text === 'string' ? firstLine(text) : namesOf(options, 'label')
}

const namesOf = (items: unknown, field: string) =>
  asList(items)
    .map(item => (isJsonObject(item) ? item[field] : item))
    .filter(name => typeof name === 'string' && name !== '')
    .join(', ')

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n')
  return line.length > LENGTH_MAX ? `${line.slice(0, LENGTH_MAX)}…` : line
}
