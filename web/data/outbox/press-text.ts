// A press on a decision's button in words, until it counts and if it doesn't. Pure.
import type { DecidedBy } from '../../../shared/decision.ts'
import type { LocalInteraction } from './interaction.ts'
import { refusalWords } from './refusal-words.ts'

/** A sentence. People wrote the names in it, in any language. */
export type Words = (string | { name: string })[]

export const plain = (words: Words) =>
  words.map(part => (typeof part === 'string' ? part : part.name)).join('')

/** A press as everybody sees it. `act`: see `publicIdOf`. */
export type ShownPress = { by: DecidedBy; act: string }

/** `isMine`: the viewer pressed. */
export function whoWords({ kind, name }: DecidedBy, isMine: boolean): Words[number] {
  if (isMine) return { name: 'You' }
  if (name === null) return { name: kind === 'agent' ? 'An agent' : 'Someone' }
  return { name: kind === 'agent' ? `${name} (agent)` : name }
}

/** How many people a line names. */
export const NAMES_MAX = 3

/** “Ann, Ben and Cleo”, or “Ann and 3 others”. */
export function peopleWords([first = '', ...others]: Words): Words {
  if (others.length >= NAMES_MAX) return [first, ` and ${others.length} others`]
  return [first, ...others.flatMap((name, i) => [i === others.length - 1 ? ' and ' : ', ', name])]
}

/** What the viewer sees while the press waits. Null once it was sent. `isOpen`: the question still waits. */
export function waitingWords({ progress, label }: LocalInteraction, isOpen: boolean): Words | null {
  if (progress.state !== 'waiting') return null
  const nothing = isOpen ? ' Nothing is decided yet.' : ''
  const name = { name: label }
  switch (progress.trouble) {
    case null:
      return [name, ': sending…']
    case 'unreachable':
      return [name, ` will be sent when you are online.${nothing}`]
    case 'busy':
      return [name, `: waiting, because the server is busy.${nothing}`]
    case 'signed-out':
      return [name, `: waiting until you have access again.${nothing}`]
    case 'limited':
      return progress.daily
        ? [name, `: waiting, because the daily limit is reached.${nothing}`]
        : [name, `: sending again soon.${nothing}`]
  }
}

/** Why the press doesn't count. Null for an interaction that concerned no question. */
export function refusedWords({ progress, label, decision, decision_id }: LocalInteraction): Words | null {
  if (progress.state !== 'refused') return null
  const name = { name: label }
  switch (progress.failure.code) {
    case 'already_decided': {
      const outcome = decision?.outcome
      if (!outcome) return ['Someone had already chosen. Your ', name, ' did not count.']
      const { by, label: chosen } = outcome
      return [
        whoWords(by, false),
        ' had already chosen ',
        { name: chosen },
        '. Your ',
        name,
        ' did not count.',
      ]
    }
    case 'expired':
    case 'cancelled':
      if (decision?.reason === 'abandoned')
        return ['The agent stopped waiting before your ', name, ' arrived. It did not count.']
      return ['This closed before your ', name, ' arrived. It did not count.']
    case 'asked_again':
      return ['The question was asked again. Your ', name, ' did not count.']
    case 'card_changed':
      return ['The card changed while you decided. Look again, then choose.']
    case 'sign_in':
    case 'not_allowed':
      return [`${refusalWords(progress.failure)}. Your `, name, ' did not count.']
    default:
      if (decision_id === undefined) return null
      return [`${refusalWords(progress.failure)}. Your `, name, ' did not count.']
  }
}
