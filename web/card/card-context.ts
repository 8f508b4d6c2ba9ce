// The card that a block belongs to: its id, and its fields as one form.
import { createRequiredContext } from '../lib/required-context.ts'
import type { CardForm } from './card-form.ts'

export const [CardContext, useCard] = createRequiredContext<{ id: string; form: CardForm }>('CardContext')
