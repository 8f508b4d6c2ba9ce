// Joins a workspace with the invite of a link. The link's token is in the fragment, which no server sees, and leaves the address
// at once.
import { useLocation, useNavigate } from '@solidjs/router'
import { createEffect, createSignal, on } from 'solid-js'
import { ChannelFeedError, NotFoundError } from '../../client/errors.ts'
import type { InvitePreview } from '../../shared/member.ts'
import { dropInvite, JOIN_PATH, keepInvite, readInvite } from '../data/kept-invite.ts'
import { acceptInvite, previewInvite } from '../data/owner-requests.ts'
import { useSession } from '../data/session.tsx'
import { errorText } from '../lib/error-text.ts'
import { ROLE_NAMES } from '../lib/role-words.ts'
import { createLoad, failure, readyValue } from '../ui/load.tsx'
import { showToast } from '../ui/toast.tsx'

export type Joining = ReturnType<typeof createJoining>

export function createJoining() {
  const { session, user } = useSession()
  const location = useLocation<{ joined?: boolean }>()
  const navigate = useNavigate()
  const [token, setToken] = createSignal(tokenIn(location.hash) ?? readInvite())
  const [busy, setBusy] = createSignal(false)
  const [trouble, setTrouble] = createSignal<string>()
  /** Whether the server said that the account can't have joined with this invite. */
  const [isStranger, setStranger] = createSignal(false)
  const preview = createLoad(() => readPreview(token()))
  const invite = () => readyValue(preview.load()) ?? undefined

  // Another link may open in the same tab.
  createEffect(() => {
    const fresh = tokenIn(location.hash)
    if (fresh === null) return
    keepInvite(fresh)
    setToken(fresh)
    navigate(JOIN_PATH, { replace: true, scroll: false })
  })
  createEffect(on(token, again, { defer: true }))

  /** A new account joined when it was created, and an invite for one person ends when it is used. */
  const mayHaveJoined = () =>
    user() !== undefined &&
    preview.load().state === 'ready' &&
    (location.state?.joined === true || invite() === undefined) &&
    token() !== null &&
    !isStranger()
  createEffect(on(mayHaveJoined, may => may && join()))

  function state(): 'loading' | 'unreachable' | 'ended' | 'open' | 'wrong-account' {
    if (failure(preview.load())) return 'unreachable'
    if (session().state === 'unknown' || preview.load().state === 'loading') return 'loading'
    if (mayHaveJoined()) return trouble() === undefined ? 'loading' : 'unreachable'
    const found = invite()
    if (!found) return 'ended'
    const email = user()?.email
    return email !== undefined && found.email !== null && found.email !== email ? 'wrong-account' : 'open'
  }

  async function join(): Promise<void> {
    if (busy()) return
    setBusy(true)
    setTrouble(undefined)
    try {
      const { workspace, role } = await acceptInvite(token() ?? '')
      dropInvite()
      navigate(`/w/${workspace.slug}`, { replace: true })
      showToast({ words: `You’re in ${workspace.name} as ${ROLE_NAMES[role]}` })
    } catch (error) {
      if (!(error instanceof ChannelFeedError)) throw error
      if (error instanceof NotFoundError) {
        setStranger(true)
        preview.set(null)
      } else setTrouble(errorText(error))
    }
    setBusy(false)
  }

  async function again(): Promise<void> {
    setTrouble(undefined)
    setStranger(false)
    await preview.again()
  }

  return {
    state,
    invite,
    busy,
    join,
    again,
    trouble: () => failure(preview.load())?.message ?? trouble(),
  }
}

const tokenIn = (hash: string) => (hash.length > 1 ? hash.slice(1) : null)

/** Null if the invite isn't valid, or no longer. */
async function readPreview(token: string | null): Promise<InvitePreview | null> {
  if (token === null) return null
  try {
    return await previewInvite(token)
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
}
