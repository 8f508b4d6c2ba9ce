// The flags of `ask` that describe more than a word.
import { InvalidArgumentError } from 'commander'
import { INPUT_TYPES } from '../../shared/blocks/input.ts'
import { WHO } from '../../shared/decision.ts'
import type { AskOptions } from '../ask.ts'

type Field = NonNullable<AskOptions['fields']>[number]

export const FIELD_TYPES = [...INPUT_TYPES, 'toggle']

/** `id:Label` or `id:Label:type`. */
export function collectFields(text: string, earlier: Field[] = []): Field[] {
  const [id = '', label = '', type = 'text', ...rest] = text.split(':')
  if (id === '' || label === '' || rest.length > 0)
    throw new InvalidArgumentError('Write id:Label or id:Label:type.')
  if (type === 'toggle') return [...earlier, { type, id, label }]
  const input_type = INPUT_TYPES.find(known => known === type)
  if (!input_type) throw new InvalidArgumentError(`The type must be one of ${FIELD_TYPES.join(', ')}.`)
  return [...earlier, { type: 'input', id, label, input_type }]
}

/** Words such as `members`, or addresses. */
export function parseWho(text: string): NonNullable<AskOptions['who']> {
  const group = WHO.find(known => known === text && known !== 'listed')
  if (group) return group
  const addresses = text.split(',').map(address => address.trim())
  if (addresses.every(address => address.includes('@'))) return addresses
  throw new InvalidArgumentError(
    'Write anyone, signed_in, members, owner, or e-mail addresses separated by commas.',
  )
}
