// Applies PATCH bodies to a card with one block of each type, with the server's own code.
import { block } from '../../shared/block.ts'
import { type Card, patchCardBody } from '../../shared/card.ts'
import { patchCard } from '../../shared/card-patch.ts'
import { parse } from '../../shared/invalid.ts'
import { messageOf } from './blocks.ts'

export const BEFORE = '2026-01-31T12:00:00.000Z'
export const NOW = '2026-01-31T12:00:01.000Z'

const blocks = [
  { type: 'text', id: 'text', content: 'Old', size: 'lg', bold: true },
  { type: 'badge', id: 'badge', label: 'Old', variant: 'info' },
  { type: 'kv', id: 'kv', rows: [{ key: 'a', value: '1' }] },
  {
    type: 'button',
    id: 'button',
    buttons: [
      { id: 'yes', label: 'Yes', style: 'danger', confirm: 'Sure?' },
      { id: 'no', label: 'No' },
    ],
  },
  { type: 'image', id: 'image', url: 'http://old.example', alt: 'Old' },
  { type: 'divider', id: 'divider' },
  { type: 'input', id: 'input', label: 'Old', placeholder: 'p', hint: 'h', max_length: 5, value: 'v' },
  {
    type: 'select',
    id: 'select',
    label: 'Old',
    options: ['a', 'b'],
    value: 'a',
    placeholder: 'p',
    hint: 'h',
  },
  { type: 'multiselect', id: 'multi', label: 'Old', options: ['a', 'b'], value: ['a', 'b'] },
  { type: 'toggle', id: 'toggle', label: 'Old', value: true, hint: 'h' },
].map(given => block.parse(given))

export const card: Card = {
  id: '00000000-0000-4000-8000-000000000001',
  channel_id: '00000000-0000-4000-8000-000000000002',
  status: 'pending',
  blocks,
  created_at: BEFORE,
  updated_at: BEFORE,
}

/** The card after this PATCH. */
export const patched = (body: unknown) => patchCard(card, parse(patchCardBody, body), NOW).card

/** A block after a PATCH of this block. */
export function patchedBlock(id: string, patch: unknown) {
  return patched({ blocks: [{ id, patch }] }).blocks.find(candidate => candidate.id === id)
}

export const blockBefore = (id: string) => blocks.find(candidate => candidate.id === id)

/** The error of a PATCH, or null if it is valid. */
export const patchRefusal = (body: unknown) => messageOf(() => patched(body))
