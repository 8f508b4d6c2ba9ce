// A block of the list in a few words, whatever is in it.
import { asList, isFields } from './card-value.ts'

const LENGTH = 80

export function summaryOf(block: unknown): string {
  if (!isFields(block)) return JSON.stringify(block) ?? ''
  const { content, label, url, rows, buttons, options } = block
  if (block.type === 'kv') return asList(rows).map(keyOf).filter(Boolean).join(', ')
  if (block.type === 'button') return asList(buttons).map(labelOf).filter(Boolean).join(', ')
  const said = [content, label, url].find(one => typeof one === 'string' && one !== '')
  if (typeof said === 'string') return firstLine(said)
  return asList(options).map(labelOf).filter(Boolean).join(', ')
}

const keyOf = (row: unknown) => (isFields(row) && typeof row.key === 'string' ? row.key : '')

function labelOf(item: unknown): string {
  if (typeof item === 'string') return item
  return isFields(item) && typeof item.label === 'string' ? item.label : ''
}

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n')
  return line.length > LENGTH ? `${line.slice(0, LENGTH)}…` : line
}
