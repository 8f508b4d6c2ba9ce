// The outbox, for every page: interactions go out even if their channel isn't on the screen.
import { createContext, type JSX, useContext } from 'solid-js'
import { createOutbox, type Outbox } from './outbox.ts'

export const OutboxContext = createContext<Outbox>()

export function OutboxProvider(props: { children: JSX.Element }): JSX.Element {
  return <OutboxContext.Provider value={createOutbox()}>{props.children}</OutboxContext.Provider>
}

export function useOutbox(): Outbox {
  const outbox = useContext(OutboxContext)
  if (!outbox) throw new Error('useOutbox needs an OutboxProvider around it')
  return outbox
}
