// Cards as text.
import type { Block } from '../../shared/block.ts'
import type { Card } from '../../shared/card.ts'
import { printable, printableLine } from './printable.ts'

/** The first words that the card shows. */
export function cardTitle(card: Pick<Card, 'blocks'>): string {
  for (const block of card.blocks) {
    const [line] = blockLines(block).filter(text => text.trim() !== '')
    if (line !== undefined) return printableLine(line)
  }
  return ''
}

/** Without control characters. */
export const cardLines = ({ blocks }: Pick<Card, 'blocks'>) =>
  blocks.flatMap(blockLines).flatMap(line => printable(line).split('\n'))

function blockLines(block: Block): string[] {
  switch (block.type) {
    case 'text':
      return [block.content]
    case 'badge':
      return [`[${block.label}]`]
    case 'kv':
      return block.rows.map(({ key, value }) => `${key}: ${value}`)
    case 'button':
      return [buttonsLine(block)]
    case 'image':
      return [`${block.alt ?? 'Image'}: ${block.url}`]
    case 'divider':
      return ['───']
    case 'input':
      return [`${block.label}: ${block.input_type === 'password' ? '' : block.value}`]
    case 'select':
      return [`${block.label}: ${block.value ?? ''}`]
    case 'multiselect':
      return [`${block.label ?? ''}: ${block.value.join(', ')}`]
    case 'toggle':
      return [`${block.label}: ${block.value ? 'on' : 'off'}`]
  }
}

function buttonsLine({ buttons, decision }: Extract<Block, { type: 'button' }>): string {
  const labels = buttons.map(({ label }) => `(${label})`).join(' ')
  if (!decision) return labels
  const { state, outcome } = decision
  return outcome ? `${labels} → ${outcome.by.name ?? 'Someone'} chose ${outcome.label}` : `${labels} ${state}`
}
