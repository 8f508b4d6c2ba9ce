// Sums up a block in a few words, even if it's invalid.
import { isJsonObject } from '../../shared/json-object.ts'
import { kindOf } from '../block-kinds/block-kinds.ts'
import { asList } from './card-value.ts'

const LENGTH_MAX = 80

export function summaryOf(block: unknown): string {
  if (!isJsonObject(block)) return JSON.stringify(block) ?? ''
  const list = kindOf(block.type)?.list
  if (list) return namesOf(block[list.field], list.name)
  const { content, label, url, options } = block
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
