// The pages of one workspace or one channel: its name above them, once it is known, and the way it ends.
import { A, useNavigate } from '@solidjs/router'
import { type Accessor, type JSX, Show } from 'solid-js'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { createFreshLoad, Loaded } from '../ui/load.tsx'
import { showToast } from '../ui/toast.tsx'
import { type Crumb, DashboardPage, Section } from './page.tsx'
import { GONE } from './settings-form.tsx'
import { readWhenUndone } from './undo.ts'

export type ThingPageProps<T> = {
  /** Its name while it is not known: `Channel`. */
  what: string
  read: () => Promise<T>
  /** Where people see it, and the words of the way there. */
  open: (thing: T) => Crumb
  views?: Crumb[]
  children: (thing: Accessor<T>, set: (thing: T) => void) => JSX.Element
}

export function ThingPage<T extends { name: string; icon: string }>(props: ThingPageProps<T>): JSX.Element {
  const { load, again, set } = createFreshLoad(() => props.read())
  readWhenUndone(() => props.read(), set)
  const known = () => {
    const now = load()
    return now.state === 'ready' ? now.value : undefined
  }
  const failed = () => load().state === 'failed'
  const missing = () => {
    const now = load()
    return now.state === 'failed' && (now.status === 403 || now.status === 404)
  }
  const open = () => {
    const thing = known()
    return thing && props.open(thing)
  }
  return (
    <DashboardPage
      title={known()?.name ?? (missing() ? `${props.what} not found` : failed() ? props.what : undefined)}
      icon={known()?.icon}
      crumbs={[{ href: '/', name: 'Channels' }]}
      actions={
        <Show when={open()}>
          {open => (
            <A class="button button-secondary" href={open().href}>
              {open().name}
            </A>
          )}
        </Show>
      }
      views={failed() ? undefined : props.views}
    >
      <Show when={!missing()} fallback={<Missing />}>
        <Loaded load={load()} again={again}>
          {thing => props.children(thing, set)}
        </Loaded>
      </Show>
    </DashboardPage>
  )
}

function Missing(): JSX.Element {
  return (
    <p class="failure" role="alert">
      It was deleted, or it belongs to another account. <A href="/">All channels</A>
    </p>
  )
}

export type DeletionProps = {
  /** `channel`, `workspace`. */
  what: string
  name: string
  /** What goes with it, in short and in full. */
  about: string
  gone: JSX.Element
  onDelete: () => Promise<void>
}

/** The last part of its settings. What is gone leads home, where it is said. */
export function Deletion(props: DeletionProps): JSX.Element {
  const navigate = useNavigate()

  async function remove(): Promise<void> {
    const words = `Deleted the ${props.what} “${props.name}”`
    await props.onDelete()
    navigate('/', { replace: true, state: GONE })
    showToast({ words })
  }

  return (
    <Section title={`Delete the ${props.what}`} about={props.about} danger>
      <ConfirmDialog
        open={`Delete ${props.what}`}
        title={`Delete ${props.name}?`}
        about={props.gone}
        typed={props.name}
        confirm={`Delete ${props.what}`}
        busy="Deleting…"
        onConfirm={remove}
      />
    </Section>
  )
}
