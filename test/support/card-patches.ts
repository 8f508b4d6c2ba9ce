// Applies PATCH bodies to a card with one block of each type, with the server's own code.
import { block } from '../../shared/block.ts'
import { type Card, patchCardBody } from '../../shared/card.ts'
import { patchCard } from '../../shared/card-patch.ts'
import { parse } from '../../shared/invalid.ts'
import { messageOf } from './blocks.ts'

export const BEFORE = '2026-01-31T12:00:00.000Z'
export const NOW = '2026-01-31T12:00:01.000Z'

const flags = { required: false, disabled: false, send_on_change: false }
const options = ['a', { value: 'b', label: 'B' }]

/** A block of each type, with every field. */
export const everyField = [
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
  {
    type: 'input',
    id: 'input',
    label: 'Old',
    input_type: 'email',
    placeholder: 'p',
    hint: 'h',
    max_length: 5,
    value: 'v',
    ...flags,
  },
  { type: 'select', id: 'select', label: 'Old', options, value: 'a', placeholder: 'p', hint: 'h', ...flags },
  { type: 'multiselect', id: 'multi', label: 'Old', options, value: ['a', 'b'], ...flags },
  { type: 'toggle', id: 'toggle', label: 'Old', value: true, hint: 'h' },
]

/** A valid PATCH of most of these blocks. */
export const everyPatch = {
  status: 'error',
  blocks: [
    { id: 'text', patch: { content: 'New', size: 'sm' } },
    { id: 'badge', patch: { label: 'New', variant: 'error' } },
    { id: 'kv', patch: { append_rows: [{ key: 'lost', value: '' }] } },
    { id: 'kv', patch: { rows: [{ key: 'b', value: '2' }] } },
    { id: 'kv', patch: { append_rows: [{ key: 'c', value: '3' }] } },
    {
      id: 'button',
      patch: {
        buttons: [
          { id: 'yes', patch: { label: 'New', confirm: null } },
          { id: 'more', label: 'More' },
        ],
      },
    },
    { id: 'image', patch: { alt: null, url: 'https://new.example' } },
    { id: 'select', patch: { options: ['c'], value: 'c', hint: null } },
    { id: 'input', patch: { max_length: null, value: '' } },
  ],
}

const blocks = everyField.map(given => block.parse(given))

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
