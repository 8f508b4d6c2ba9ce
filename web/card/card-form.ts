// A card's fields as one form: what a click sends, and which errors prevent it. The rules are the server's own.
import { onCleanup } from 'solid-js'
import { createStore } from 'solid-js/store'
import type { Block } from '../../shared/block.ts'
import {
  checkValue,
  type FormBlock,
  hasTypeOf,
  isInput,
  missingField,
  type Value,
} from '../../shared/form-block.ts'
import { Invalid } from '../../shared/invalid.ts'
import { capitalized } from '../lib/capitalized.ts'
import { createRequiredContext } from '../lib/required-context.ts'
import { safeKey } from '../lib/safe-key.ts'
import type { CardHost } from './card-host.ts'

export type CardForm = ReturnType<typeof createCardForm>

/** The card that a block belongs to: its id, its fields as one form, and whether a question on it waits. */
export const [CardContext, useCard] = createRequiredContext<{
  id: string
  form: CardForm
  asks: () => boolean
}>('CardContext')

/** In characters. Larger own values of the card are left out of a request: the server has them. */
const OWN_VALUES_MAX = 100_000

type Control = Pick<HTMLInputElement, 'focus' | 'validity'>

export function createCardForm(
  cardId: string,
  blocks: () => Block[],
  drafts: Pick<CardHost['drafts'], 'read' | 'isSecret'>,
) {
  const [errors, setErrors] = createStore<Record<string, string | undefined>>({})
  const controls = new Map<string, Control>()

  const inputs = () => blocks().filter(isInput)
  const draftOf = (block: FormBlock) => drafts.read(cardId, block.id)
  const isEntered = (block: FormBlock) => draftOf(block) !== undefined
  const isSecret = (block: FormBlock) => drafts.isSecret(cardId, block)

  function valueIn<B extends FormBlock>(block: B): B['value'] {
    const draft = draftOf(block)
    // The draft may have been saved when the block had another type.
    return draft !== undefined && hasTypeOf(block, draft) ? draft : block.value
  }

  /** `button`: the label of the one that was chosen. */
  function errorIn(block: FormBlock, button?: string): string | undefined {
    if (block.disabled) return undefined
    const control = controls.get(block.id)
    // The page sees an incomplete number or date as an empty value.
    if (control?.validity.badInput) return 'Complete this field'
    const value = valueIn(block)
    if (button !== undefined && missingField([block], new Map([[block.id, value]])) !== null)
      return `${'options' in block ? 'Pick an option' : 'Fill this in'}, then choose ${button} again`
    // The automation's own values may break a rule; a viewer's must not.
    return isEntered(block) ? brokenRule(block, value) : undefined
  }

  function errorAt(blockId: string): string | undefined {
    const block = inputs().find(({ id }) => id === blockId)
    return block && errorIn(block)
  }

  /** What a click on `button` sends. If a field is wrong, shows every error, focuses the first field and returns null. */
  function submit(button: string) {
    for (const block of inputs()) setErrors(safeKey(block.id), errorIn(block, button))
    const firstWrong = inputs().find(({ id }) => errors[safeKey(id)] !== undefined)
    if (!firstWrong) return formValues('click')
    controls.get(firstWrong.id)?.focus()
    return null
  }

  /** Enabled, valid fields: the server rejects all values if one is invalid. Only a click sends a password. */
  function formValues(event: 'click' | 'change') {
    const valid = inputs().filter(
      block =>
        !block.disabled &&
        !(event === 'change' && isSecret(block)) &&
        brokenRule(block, valueIn(block)) === undefined,
    )
    const own = valid.filter(block => !isEntered(block))
    const entered = valid.filter(isEntered)
    const size = own.reduce((sum, { value }) => sum + JSON.stringify(value).length, 0)
    const sent = size > OWN_VALUES_MAX ? entered : [...own, ...entered]
    return {
      values: Object.fromEntries(sent.map(block => [block.id, unwrapped(valueIn(block))])),
      secret: entered.some(isSecret),
    }
  }

  return {
    checkField: (blockId: string) => setErrors(safeKey(blockId), errorAt(blockId)),
    isValid: (blockId: string) => errorAt(blockId) === undefined,
    submit,
    formValues,
    valueIn,
    errorOf: (blockId: string) => errors[safeKey(blockId)],
    clearError: (blockId: string) => {
      if (errors[safeKey(blockId)] !== undefined) setErrors(safeKey(blockId), undefined)
    },
    /** Until the calling component is removed. */
    register: (blockId: string, control: Control) => {
      controls.set(blockId, control)
      onCleanup(() => controls.get(blockId) === control && controls.delete(blockId))
    },
  }
}

function brokenRule(block: FormBlock, value: Value): string | undefined {
  try {
    checkValue(block, value, [])
    return undefined
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    return capitalized(error.message)
  }
}

/** Without the store's proxy, which IndexedDB can't save. */
export const unwrapped = (value: Value): Value => (Array.isArray(value) ? [...value] : value)
