// The card that a block belongs to: its id, and its fields as one form.
import { createContext, useContext } from 'solid-js'
import type { CardForm } from './card-form.ts'

export type CardContextValue = { id: string; form: CardForm }

export const CardContext = createContext<CardContextValue>()

export function useCard(): CardContextValue {
  const card = useContext(CardContext)
  if (!card) throw new Error('useCard needs a CardContext around it')
  return card
}
