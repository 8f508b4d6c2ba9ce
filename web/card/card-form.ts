// What is entered on a card, as one form: what a click sends, and what keeps it from being sent. The rules are the
// server's own (shared/card-state.ts); they are told at the field.
import { createStore } from 'solid-js/store'
import type { Block } from '../../shared/block.ts'
import { checkValue, type InputBlock, isInput, missingField, type Value } from '../../shared/card-state.ts'
import { Invalid } from '../../shared/invalid.ts'
import type { CardDrafts } from '../data/drafts/drafts.ts'
import type { DraftValue } from '../data/local-copy.ts'
import { ownKey } from '../lib/safe-key.ts'

export type CardForm = ReturnType<typeof createCardForm>

/** The card's own values are left out where all would not fit into a request: the server has them. */
const OWN_VALUES_MAX = 100_000

type Control = Pick<HTMLInputElement, 'focus' | 'validity'>

export type Filled = { values: Record<string, Value>; secret: boolean }

export function createCardForm(
  card: () => { id: string; blocks: Block[] },
  drafts: Pick<CardDrafts, 'read'>,
) {
  const [errors, setErrors] = createStore<Record<string, string | undefined>>({})
  const controls = new Map<string, Control>()

  const inputs = () => card().blocks.filter(isInput)
  const draftOf = (block: InputBlock) => drafts.read(card().id, block.id)

  /** The value on the screen: what the viewer entered, else the card's own. */
  function shownValue(block: InputBlock): Value {
    const draft = draftOf(block)
    return draft !== undefined && isOfType(block, draft) ? draft : block.value
  }

  function errorIn(block: InputBlock, pressed: boolean): string | undefined {
    if (block.disabled) return undefined
    const control = controls.get(block.id)
    // What the browser cannot read as a number or a date is an empty value to the page.
    if (control?.validity.badInput) return 'This is not complete'
    const value = shownValue(block)
    if (pressed && missingField([block], new Map([[block.id, value]])) !== null) return 'This is required'
    // What an automation put there need not hold; what was entered must.
    return isEntered(block) ? ruleBroken(block, value) : undefined
  }

  const isEntered = (block: InputBlock) => draftOf(block) !== undefined

  function errorAt(blockId: string): string | undefined {
    const block = inputs().find(({ id }) => id === blockId)
    return block && errorIn(block, false)
  }

  /** What a click sends; null where a field is wrong: then the first one has the focus, and all say why. */
  function fill(): Filled | null {
    const wrong = inputs().flatMap(block => {
      const error = errorIn(block, true)
      setErrors(ownKey(block.id), error)
      return error === undefined ? [] : [block.id]
    })
    const [first] = wrong
    if (first === undefined) return filled('click')
    controls.get(first)?.focus()
    return null
  }

  /**
   * What the viewer saw and entered, of fields that are open. What breaks a rule by now would have all refused. A
   * password goes out with a click, not with a change of another field.
   */
  function filled(event: 'click' | 'change'): Filled {
    const right = inputs().filter(
      block =>
        !block.disabled &&
        !(event === 'change' && isSecret(block)) &&
        ruleBroken(block, shownValue(block)) === undefined,
    )
    const own = right.filter(block => !isEntered(block))
    const entered = right.filter(isEntered)
    const size = own.reduce((sum, { value }) => sum + JSON.stringify(value).length, 0)
    const sent = size > OWN_VALUES_MAX ? entered : [...own, ...entered]
    return {
      values: Object.fromEntries(sent.map(block => [block.id, plain(shownValue(block))])),
      secret: entered.some(isSecret),
    }
  }

  return {
    /** Tells what is wrong with one field, when it is left. */
    checkField: (blockId: string) => setErrors(ownKey(blockId), errorAt(blockId)),
    isRight: (blockId: string) => errorAt(blockId) === undefined,
    fill,
    filled,
    shownValue,
    errorOf: (blockId: string) => errors[ownKey(blockId)],
    clearError: (blockId: string) => {
      if (errors[ownKey(blockId)] !== undefined) setErrors(ownKey(blockId), undefined)
    },
    /** The element that takes the focus for a field. Returns how to take it back. */
    register: (blockId: string, control: Control) => {
      controls.set(blockId, control)
      return () => controls.get(blockId) === control && controls.delete(blockId)
    },
  }
}

export function isSecret(block: InputBlock): boolean {
  return block.type === 'input' && block.input_type === 'password'
}

/** The rule that a value breaks, in the server's words. */
function ruleBroken(block: InputBlock, value: Value): string | undefined {
  try {
    checkValue(block, value, [])
    return undefined
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    return error.message.charAt(0).toUpperCase() + error.message.slice(1)
  }
}

/** A draft may have been kept when the block was of another type. */
export function isOfType(block: InputBlock, draft: DraftValue): boolean {
  switch (block.type) {
    case 'input':
      return typeof draft === 'string'
    case 'select':
      return draft === null || typeof draft === 'string'
    case 'multiselect':
      return Array.isArray(draft)
    case 'toggle':
      return typeof draft === 'boolean'
  }
}

/** Without the store's wrapping, which cannot be kept. */
function plain(value: Value): Value {
  return Array.isArray(value) ? [...value] : value
}
