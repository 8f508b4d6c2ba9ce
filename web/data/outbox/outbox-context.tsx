// The outbox, for every page: interactions go out even if their channel isn't on the screen.
import type { ParentProps } from 'solid-js'
import { createRequiredContext } from '../../lib/required-context.ts'
import { createOutbox, type Outbox } from './outbox.ts'

export const [OutboxContext, useOutbox] = createRequiredContext<Outbox>('OutboxContext')

export function OutboxProvider(props: ParentProps) {
  return <OutboxContext.Provider value={createOutbox()}>{props.children}</OutboxContext.Provider>
}
