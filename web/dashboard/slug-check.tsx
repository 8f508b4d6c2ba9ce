// Judges a custom slug while it is typed, and says so.
import { createSignal, type JSX, Match, onCleanup, Show, Switch } from 'solid-js'
import { ChannelFeedError } from '../../client/errors.ts'
import { refusalOf } from '../../shared/invalid.ts'
import { customSlugBody, type SlugCheck, slugOf } from '../../shared/workspace.ts'

export const addressOf = (slug: string) => `${location.origin}/w/by-slug/${slug}`

type Verdict =
  | { is: 'none' }
  | { is: 'checking'; slug: string }
  | { is: 'available'; slug: string }
  /** `instead`: one like it that is well formed. */
  | { is: 'refused'; reason: string; instead: string | undefined }
  | { is: 'unknown' }

/** So long nothing has to be typed before the server is asked. */
const PAUSE_MS = 250

/** Judges at once what no slug can be, and asks the server of the rest. Only the latest answer counts. */
export function createSlugCheck(ask: (slug: string) => Promise<SlugCheck>, present: () => string | null) {
  const [verdict, setVerdict] = createSignal<Verdict>({ is: 'none' })
  let timer: ReturnType<typeof setTimeout> | undefined
  let looks = 0
  onCleanup(() => clearTimeout(timer))

  function look(slug: string): void {
    clearTimeout(timer)
    const turn = ++looks
    if (slug === '' || slug === present()) {
      setVerdict({ is: 'none' })
      return
    }
    const malformed = refusalOf(customSlugBody, { custom_slug: slug })
    if (malformed !== null) {
      setVerdict({ is: 'refused', reason: malformed, instead: wellFormed(slug) })
      return
    }
    setVerdict({ is: 'checking', slug })
    timer = setTimeout(async () => {
      const answer = await judge(slug)
      if (turn === looks) setVerdict(answer)
    }, PAUSE_MS)
  }

  async function judge(slug: string): Promise<Verdict> {
    try {
      const { reason } = await ask(slug)
      return reason === null ? { is: 'available', slug } : { is: 'refused', reason, instead: undefined }
    } catch (error) {
      if (error instanceof ChannelFeedError) return { is: 'unknown' }
      throw error
    }
  }

  return { verdict, look }
}

/** `My team` is meant as `my-team`. */
function wellFormed(given: string): string | undefined {
  const slug = slugOf(given)
  const meant = /[a-z0-9]/i.test(given) && refusalOf(customSlugBody, { custom_slug: slug }) === null
  return meant ? slug : undefined
}

export function SlugVerdict(props: { verdict: Verdict; onTake: (slug: string) => void }): JSX.Element {
  const as = <Is extends Verdict['is']>(is: Is) => {
    const { verdict } = props
    return isVerdict(verdict, is) ? verdict : undefined
  }
  return (
    <span aria-live="polite">
      <Switch fallback="3 to 48 lowercase letters, digits or hyphens. Leave it empty for none.">
        <Match when={as('checking')}>{now => <>Checking {now().slug}…</>}</Match>
        <Match when={as('available')}>
          {now => (
            <>
              <span class="verdict-good">Available.</span> It would be {addressOf(now().slug)}
            </>
          )}
        </Match>
        <Match when={as('refused')}>
          {now => (
            <>
              <span class="verdict-bad">{now().reason.replace('custom_slug', 'Custom slug')}</span>
              <Show when={now().instead}>
                {slug => (
                  <>
                    .{' '}
                    <button type="button" class="link" onClick={() => props.onTake(slug())}>
                      Take {slug()}
                    </button>
                  </>
                )}
              </Show>
            </>
          )}
        </Match>
        <Match when={as('unknown')}>It could not be checked now. Saving tells.</Match>
      </Switch>
    </span>
  )
}

function isVerdict<Is extends Verdict['is']>(
  verdict: Verdict,
  is: Is,
): verdict is Extract<Verdict, { is: Is }> {
  return verdict.is === is
}
