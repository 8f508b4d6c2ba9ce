// The open channel of a workspace, in the address as `?channel=<id>`. If it's gone, the first opens with a message.
import { useLocation, useNavigate, useSearchParams } from '@solidjs/router'
import { type Accessor, createComputed, createMemo, createSignal } from 'solid-js'
import type { PageChannel } from '../../shared/workspace-live.ts'
import { addressOf, openChannelQuery } from './filter-address.ts'

export type ChannelChoice = ReturnType<typeof createChannelChoice>

/** `narrow`: a channel covers the list, so none opens by itself. `query`: the filters, which stay in the address. */
export function createChannelChoice(
  channels: Accessor<PageChannel[]>,
  narrow: Accessor<boolean>,
  query: Accessor<string>,
) {
  const [params] = useSearchParams<{ channel?: string }>()
  const location = useLocation<{ from_list?: boolean }>()
  const navigate = useNavigate()
  const [message, setMessage] = createSignal('')
  const requestedId = createMemo(() => params.channel)
  const exists = (id: string | undefined) => channels().some(channel => channel.id === id)

  const channel = createMemo(() => {
    const id = requestedId()
    return channels().find(channel => channel.id === id) ?? (narrow() ? undefined : channels()[0])
  })
  const id = createMemo(() => channel()?.id)

  /** Includes deleted channels. */
  const names = new Map<string, string>()
  let last: { requested: string | undefined; open: string | undefined } | undefined
  createComputed(() => {
    for (const { id, name } of channels()) names.set(id, name)
    const now = { requested: requestedId(), open: id() }
    const wanted = now.requested ?? last?.open
    const missing = exists(wanted) ? undefined : wanted
    const name = missing && names.get(missing)
    if (missing !== undefined)
      setMessage(name ? `“${name}” is no longer in this workspace.` : 'That channel isn’t in this workspace.')
    else if (now.requested !== last?.requested || exists(now.requested)) setMessage('')
    last = now
  })

  const pathTo = (id: string) => addressOf(location.pathname, openChannelQuery(id), query())

  /** A `step` along the tabs replaces the history entry, so that Back skips them. */
  function choose(id: string, how: 'open' | 'step' | 'from-list' = 'open'): void {
    if (id === requestedId()) return
    navigate(pathTo(id), {
      scroll: false,
      replace: how === 'step',
      state: { from_list: how === 'from-list' },
    })
  }

  function leave(): void {
    if (location.state?.from_list) history.back()
    else navigate(addressOf(location.pathname, '', query()), { scroll: false, replace: true })
  }

  return { channel, id, pathTo, choose, leave, message }
}
