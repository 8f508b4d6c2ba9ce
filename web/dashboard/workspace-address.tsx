// The addresses of a workspace: a generated slug, and a custom slug that is checked during typing.
import { createSignal, For, type JSX, onCleanup, Show } from 'solid-js'
import { ChannelFeedError } from '../../client/errors.ts'
import { validationError } from '../../shared/invalid.ts'
import { customSlugBody, slugOf } from '../../shared/workspace.ts'
import { patchWorkspace } from '../data/checked-requests.ts'
import { checkSlug } from '../data/owner-requests.ts'
import { LinkButton } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { createForm, FormField } from '../ui/form.tsx'
import { Section } from './section.tsx'
import { SettingsForm } from './settings-form.tsx'
import type { WorkspaceProps } from './settings-page.tsx'
import './workspace-address.css'

const addressOf = (slug: string) => `${location.origin}/w/by-slug/${slug}`

type Result = { note: string } | { available: string } | { invalid: string; suggestion?: string }

const RULE = { note: '3 to 48 lowercase letters, digits or hyphens. Leave it empty for none.' }

const PAUSE_MS = 250

export function WorkspaceAddress(props: WorkspaceProps): JSX.Element {
  const addresses = () => {
    const { slug, custom_slug } = props.workspace
    const custom = custom_slug === null ? [] : [addressOf(custom_slug)]
    return [`${location.origin}/w/${slug}`, ...custom]
  }
  const form = createForm(async ({ custom_slug = '' }) => {
    const slug = custom_slug.trim()
    props.onChange(await patchWorkspace(props.workspace.id, { custom_slug: slug === '' ? null : slug }))
    slugCheck.check(slug)
  }, 'custom_slug')
  const slugCheck = createSlugCheck(props)
  let box: HTMLDivElement | undefined

  function onInput(event: InputEvent): void {
    if (!(event.target instanceof HTMLInputElement)) return
    form.clear()
    slugCheck.check(event.target.value.trim())
  }

  function use(slug: string): void {
    const input = box?.querySelector('input')
    if (!input) return
    input.value = slug
    input.dispatchEvent(new InputEvent('input', { bubbles: true }))
    input.focus()
  }

  return (
    <Section title="Address" about="The workspace’s links.">
      <ul class="rows box">
        <For each={addresses()}>
          {address => (
            <li class="row">
              <code class="fill">{address}</code>
              <CopyButton text={address} what={address} />
            </li>
          )}
        </For>
      </ul>
      <div ref={box} onInput={onInput}>
        <SettingsForm form={form} section="Address">
          <FormField
            form={form}
            name="custom_slug"
            label="Custom slug"
            value={props.workspace.custom_slug ?? ''}
            hint={<SlugHint result={slugCheck.result()} onUse={use} />}
            optional
          />
        </SettingsForm>
      </div>
    </Section>
  )
}

/** Checks the format at once and asks the server for the rest. Only the latest response counts. */
function createSlugCheck(props: WorkspaceProps) {
  const [result, setResult] = createSignal<Result>(RULE)
  let timer: ReturnType<typeof setTimeout> | undefined
  let checks = 0
  onCleanup(() => clearTimeout(timer))

  function check(slug: string): void {
    clearTimeout(timer)
    const current = ++checks
    const invalid = validationError(customSlugBody, { custom_slug: slug })
    if (slug === '' || slug === props.workspace.custom_slug) setResult(RULE)
    else if (invalid !== null) setResult({ invalid, suggestion: suggestionFor(slug) })
    else {
      setResult({ note: `Checking ${slug}…` })
      timer = setTimeout(async () => {
        const response = await askServer(slug)
        if (current === checks) setResult(response)
      }, PAUSE_MS)
    }
  }

  async function askServer(slug: string): Promise<Result> {
    try {
      const { reason } = await checkSlug(props.workspace.id, slug)
      return reason === null ? { available: slug } : { invalid: reason }
    } catch (error) {
      if (!(error instanceof ChannelFeedError)) throw error
      return { note: 'The slug couldn’t be checked. Saving checks it again.' }
    }
  }

  return { result, check }
}

function suggestionFor(typed: string): string | undefined {
  const slug = slugOf(typed)
  const isValid = /[a-z0-9]/i.test(typed) && validationError(customSlugBody, { custom_slug: slug }) === null
  return isValid ? slug : undefined
}

function SlugHint(props: { result: Result; onUse: (slug: string) => void }): JSX.Element {
  const text = () => {
    const { result } = props
    if ('note' in result) return result.note
    if ('available' in result)
      return (
        <>
          <span class="slug-available">Available.</span> The address is {addressOf(result.available)}
        </>
      )
    return (
      <>
        <span class="form-error">{result.invalid.replace('custom_slug', 'Custom slug')}</span>
        <Show when={result.suggestion}>
          {slug => (
            <>
              . <LinkButton onClick={() => props.onUse(slug())}>Use {slug()}</LinkButton>
            </>
          )}
        </Show>
      </>
    )
  }
  return <span aria-live="polite">{text()}</span>
}
