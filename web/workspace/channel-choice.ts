// Which channel of a workspace is open: the one that the address names (`?channel=<id>`), so that back and forward,
// a reload and a link lead to it. One that is not there any more gives way to the first, with a word.
import { useLocation, useNavigate, useSearchParams } from '@solidjs/router'
import { type Accessor, createComputed, createMemo, createSignal } from 'solid-js'
import type { ShownChannel } from '../../shared/workspace-live.ts'
import { addressOf } from './search-address.ts'

export type ChannelChoice = ReturnType<typeof createChannelChoice>

/**
 * `narrow`: there is room for the list or for one channel, and at first the list is shown.
 * `query`: what is looked for stays in the address.
 */
export function createChannelChoice(
  channels: Accessor<ShownChannel[]>,
  narrow: Accessor<boolean>,
  query: Accessor<string>,
) {
  const [params] = useSearchParams<{ channel?: string }>()
  const location = useLocation<{ from_list?: boolean }>()
  const navigate = useNavigate()
  const [word, setWord] = createSignal('')
  const asked = createMemo(() => params.channel)
  const isThere = (id: string | undefined) => channels().some(channel => channel.id === id)

  const channel = createMemo(() => {
    const id = asked()
    return channels().find(channel => channel.id === id) ?? (narrow() ? undefined : channels()[0])
  })
  const id = createMemo(() => channel()?.id)

  /** The names of those that were here, for the word on one that went. */
  const names = new Map<string, string>()
  let last: { asked: string | undefined; id: string | undefined } = { asked: undefined, id: undefined }
  createComputed(() => {
    for (const { id, name } of channels()) names.set(id, name)
    const now = { asked: asked(), id: id() }
    const gone = [now.asked ?? last.id].find(id => id !== undefined && !isThere(id))
    if (gone !== undefined) setWord(wordOn(names.get(gone)))
    else if (now.asked !== last.asked || isThere(now.asked)) setWord('')
    last = now
  })

  const pathTo = (id: string) => addressOf(location.pathname, id, query())

  /** `step`: on the way along a row of tabs; back does not lead through all of them. */
  function choose(id: string, how: 'open' | 'step' | 'from-list' = 'open'): void {
    if (id === asked()) return
    navigate(pathTo(id), {
      scroll: false,
      replace: how === 'step',
      state: { from_list: how === 'from-list' },
    })
  }

  /** Back to the list, where it gave way to the channel. */
  function leave(): void {
    if (location.state?.from_list) history.back()
    else navigate(addressOf(location.pathname, undefined, query()), { scroll: false, replace: true })
  }

  return { channel, id, pathTo, choose, leave, word }
}

function wordOn(name: string | undefined): string {
  return name === undefined ? 'That channel is not here.' : `“${name}” is not here any more.`
}
