// Where a workspace is found: its generated slug, and one of its own that is checked while it is typed.
import { createSignal, For, type JSX, Match, onCleanup, Switch } from 'solid-js'
import { refusalOf } from '../../shared/invalid.ts'
import { customSlugBody, slugOf } from '../../shared/workspace.ts'
import { Refused, Unreachable } from '../api.ts'
import { createForm, FormField } from '../shell/form.tsx'
import { checkSlug, patchWorkspace } from './api.ts'
import { CopyButton } from './copy.tsx'
import { Section } from './page.tsx'
import { SettingsForm } from './settings-form.tsx'
import type { WorkspacePartProps } from './workspace-general.tsx'

const addressOf = (slug: string) => `${location.origin}/w/by-slug/${slug}`

export function WorkspaceAddress(props: WorkspacePartProps): JSX.Element {
  const addresses = () => {
    const { slug, custom_slug } = props.workspace
    const own = custom_slug === null ? [] : [addressOf(custom_slug)]
    return [`${location.origin}/w/${slug}`, ...own]
  }
  const form = createForm(async ({ custom_slug = '' }) => {
    const slug = custom_slug.trim()
    props.onChange(await patchWorkspace(props.workspace.id, { custom_slug: slug === '' ? null : slug }))
  }, 'custom_slug')
  const check = createSlugCheck(
    slug => checkSlug(props.workspace.id, slug),
    () => props.workspace.custom_slug,
  )
  let box: HTMLDivElement | undefined

  function onInput(event: InputEvent): void {
    if (!(event.target instanceof HTMLInputElement)) return
    form.clear()
    check.look(event.target.value.trim())
  }

  function take(slug: string): void {
    const input = box?.querySelector('input')
    if (!input) return
    input.value = slug
    input.dispatchEvent(new InputEvent('input', { bubbles: true }))
    input.focus()
  }

  return (
    <Section title="Address" about="Where the workspace is found. A slug of your own is unique among all.">
      <ul class="rows">
        <For each={addresses()}>
          {address => (
            <li class="row">
              <code class="row-address">{address}</code>
              <CopyButton text={address} what={address} />
            </li>
          )}
        </For>
      </ul>
      <div ref={box} onInput={onInput}>
        <SettingsForm form={form} what="Address" submit="Save" busy="Saving…" done="Saved">
          <FormField
            form={form}
            name="custom_slug"
            label="Custom slug"
            type="text"
            autocomplete="off"
            value={props.workspace.custom_slug ?? ''}
            hint={<Verdict verdict={check.verdict()} onTake={take} />}
            optional
          />
        </SettingsForm>
      </div>
    </Section>
  )
}

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
function createSlugCheck(
  ask: (slug: string) => Promise<{ available: boolean; reason: string | null }>,
  present: () => string | null,
) {
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
      if (error instanceof Refused || error instanceof Unreachable) return { is: 'unknown' }
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

function Verdict(props: { verdict: Verdict; onTake: (slug: string) => void }): JSX.Element {
  const as = <Is extends Verdict['is']>(is: Is) => {
    const { verdict } = props
    return isVerdict(verdict, is) ? verdict : undefined
  }
  return (
    <span aria-live="polite">
      <Switch fallback="3-48 lowercase letters, digits or hyphens. Empty: none.">
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
              <Switch>
                <Match when={now().instead}>
                  {slug => (
                    <>
                      .{' '}
                      <button type="button" class="link" onClick={() => props.onTake(slug())}>
                        Take {slug()}
                      </button>
                    </>
                  )}
                </Match>
              </Switch>
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
