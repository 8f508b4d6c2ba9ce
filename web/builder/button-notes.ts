// What the row of a button says about the fields that it hides. Pure.
import { getIn } from './card-value.ts'

const COMMENTS = new Map<unknown, string>([
  ['none', 'No comment'],
  ['optional', 'Comment possible'],
  ['required', 'Comment required'],
])

export function buttonNotes(button: unknown): string {
  const confirm = getIn(button, ['confirm'])
  const notes = [
    typeof confirm === 'string' && confirm !== '' ? `Asks “${confirm}”` : undefined,
    COMMENTS.get(getIn(button, ['comment'])),
    getIn(button, ['disabled']) === true ? 'Disabled' : undefined,
  ]
  return notes.filter(note => note !== undefined).join(' · ')
}
