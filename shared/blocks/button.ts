// A button block: a row of buttons, which may be the choices of a question. A PATCH changes some and appends others.
import { z } from 'zod'
import { commentRule, decision, newDecision } from '../decision.ts'
import { Invalid, type Path, parse, REQUIRED } from '../invalid.ts'
import { isJsonObject } from '../json-object.ts'
import { BUTTONS_MAX } from '../limits.ts'
import { type BlockDefinition, onlyFields, type PatchPlace } from './definition.ts'
import { clearable, content, disabled, id, label, listOf, patchOf, withoutCleared } from './fields.ts'

export const BUTTON_STYLES = ['primary', 'secondary', 'danger'] as const

export const button = z
  .object({
    id,
    label,
    style: z.enum(BUTTON_STYLES).default('primary'),
    disabled,
    confirm: clearable(content).describe('A question to confirm before the click is sent.'),
    comment: commentRule
      .nullish()
      .transform(value => value ?? undefined)
      .pipe(commentRule.optional())
      .describe('Replaces `decision.comment` for this button.'),
  })
  .overwrite(withoutCleared)
export type BlockButton = z.output<typeof button>

export const buttonPatch = patchOf(button)

const schema = z.object({
  type: z.literal('button'),
  id,
  buttons: listOf(button, BUTTONS_MAX),
  decision: decision.optional(),
})

/** As it is sent: `decision` holds what is asked, instead of the decision's public form. */
const sent = schema
  .extend({ decision: newDecision.nullish().describe('Asks a question: the first press decides.') })
  .refine(
    ({ decision, buttons }) =>
      (decision?.approves ?? null) === null || buttons.some(({ id }) => id === decision?.approves),
    { path: ['decision', 'approves'], message: 'must be the id of one of its buttons' },
  )

export const buttonBlock = {
  schema,
  sent,
  patch: z.strictObject({
    buttons: z
      .array(z.union([z.object({ id: z.string(), patch: buttonPatch }), button]))
      .optional()
      .describe('Buttons to change, by id; an item without `patch` is a new button.'),
    decision: newDecision
      .optional()
      .describe('Changes the waiting question, asks an ended one again with `reopen`, or asks a new one.'),
  }),
  state: schema
    .pick({ id: true, type: true })
    .extend({ buttons: z.array(z.object(button.shape).pick({ id: true, label: true, style: true })) }),
  derived: ({ buttons }) => ({ buttons: buttons.map(({ id, label, style }) => ({ id, label, style })) }),
  title: [['buttons', '0', 'label']],
  /** The turn judges the question of a patch: that depends on the decision so far. */
  change(current, patch, place) {
    if (!('buttons' in patch)) return { block: current, appended: null }
    const asks = current.decision !== undefined || patch.decision !== undefined
    const buttons = patchButtons(current.buttons, patch.buttons, place, asks)
    return {
      block: withoutCleared(parse(schema, { ...current, buttons }, [...place.at, 'patch'])),
      appended: null,
    }
  },
} satisfies BlockDefinition<z.output<typeof schema>>

/** `asks`: whether the block has a question, to which a button's comment belongs. */
function patchButtons(
  current: BlockButton[],
  items: unknown,
  { at, buttonIds }: PatchPlace,
  asks: boolean,
): BlockButton[] {
  const path: Path = [...at, 'patch', 'buttons']
  if (!Array.isArray(items)) throw new Invalid(path, 'must be an array')
  const list: unknown[] = items
  const buttons = [...current]
  for (const [j, item] of list.entries()) {
    if (!isJsonObject(item)) throw new Invalid([...path, j], 'must be an object')
    if (!('patch' in item)) {
      if (buttons.length === BUTTONS_MAX) throw new Invalid(path, `must leave at most ${BUTTONS_MAX} buttons`)
      const added = parse(button, item, [...path, j])
      if (buttonIds.has(added.id)) throw new Invalid([...path, j, 'id'], 'must be unique in the card')
      if (added.comment !== undefined && !asks) throw strayComment([...path, j])
      buttonIds.add(added.id)
      buttons.push(added)
      continue
    }
    if (!isJsonObject(item.patch)) throw new Invalid([...path, j, 'patch'], 'must be an object')
    if (item.id === undefined) throw new Invalid([...path, j, 'id'], REQUIRED)
    if (typeof item.id !== 'string') throw new Invalid([...path, j, 'id'], 'must be a string')
    const index = buttons.findIndex(candidate => candidate.id === item.id)
    if (index < 0)
      throw new Invalid([...at, 'buttons', j], `: no button with id "${item.id}"`, 'unknown_button')
    onlyFields(item.patch, buttonPatch, [...path, j, 'patch'], 'a button')
    const patched = parse(button, { ...buttons[index], ...item.patch }, [...path, j, 'patch'])
    if (patched.comment !== undefined && !asks) throw strayComment([...path, j, 'patch'])
    buttons[index] = patched
  }
  return buttons
}

const strayComment = (path: Path) => new Invalid([...path, 'comment'], 'goes with a decision')
