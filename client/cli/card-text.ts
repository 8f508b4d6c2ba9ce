// Cards as text, by what their blocks have: so it also shows types that are newer than this release.
import type { Block } from '../../shared/block.ts'
import type { Card } from '../../shared/card.ts'
import { printable, printableLine } from './printable.ts'

type CardBlocks = Pick<Card, 'blocks'>

/** The first words that the card shows. */
export function cardTitle({ blocks }: CardBlocks): string {
  const [line = ''] = blocks.flatMap(blockLines).filter(text => text.trim() !== '')
  return printableLine(line)
}

/** Without control characters. */
export const cardLines = ({ blocks }: CardBlocks) =>
  blocks.flatMap(blockLines).flatMap(line => printable(line).split('\n'))

function blockLines(block: Block): string[] {
  if ('content' in block) return [block.content]
  if ('rows' in block) return block.rows.map(({ key, value }) => `${key}: ${value}`)
  if ('buttons' in block) return [buttonsLine(block)]
  if ('url' in block) return [block.alt ? `${block.alt}: ${block.url}` : block.url]
  if (!('label' in block)) return []
  return 'value' in block ? [`${block.label ?? ''}: ${valueText(block)}`] : [`[${block.label}]`]
}

function valueText(block: Extract<Block, { value: unknown }>): string {
  if ('input_type' in block && block.input_type === 'password') return ''
  const { value } = block
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return Array.isArray(value) ? value.join(', ') : (value ?? '')
}

function buttonsLine({ buttons, decision }: Extract<Block, { buttons: unknown }>): string {
  const labels = buttons.map(({ label }) => `(${label})`).join(' ')
  if (!decision) return labels
  const { state, outcome } = decision
  return outcome ? `${labels} → ${outcome.by.name ?? 'Someone'} chose ${outcome.label}` : `${labels} ${state}`
}
