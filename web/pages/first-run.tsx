// The first run: create a workspace and a channel, then push a card. It continues at the first step that isn't done.
import { Navigate, useSearchParams } from '@solidjs/router'
import { createSignal, For, type JSX, onMount, Show } from 'solid-js'
import { CreateChannelForm } from '../dashboard/create-channel.tsx'
import { CreateWorkspaceForm } from '../dashboard/create-workspace.tsx'
import { DashboardPage } from '../dashboard/dashboard-page.tsx'
import { FirstCard } from '../dashboard/first-card.tsx'
import { fetchOwnChannels } from '../data/owner-requests.ts'
import { createLoad, Loaded, readyValue } from '../ui/load.tsx'
import './first-run.css'

type Step =
  | { name: 'workspace' }
  | { name: 'channel'; workspace: { id: string; name: string } }
  /** `fresh`: the channel was created just now, so its key is created at once. */
  | { name: 'card'; channel: { id: string; name: string; workspace_id: string }; fresh: boolean }
  | { name: 'done' }

const STEPS: [Step['name'], string][] = [
  ['workspace', 'Workspace'],
  ['channel', 'Channel'],
  ['card', 'First card'],
]

const TITLES: Record<Step['name'] | 'loading', string | undefined> = {
  loading: undefined,
  workspace: 'Create your first workspace',
  channel: 'Create a channel',
  card: 'Push your first card',
  done: 'Ready',
}

export function FirstRunPage(): JSX.Element {
  const [search] = useSearchParams<{ workspace: string; channel: string }>()
  const { load, again } = createLoad(() => fetchStep(search))
  const [next, setNext] = createSignal<Step>()
  const [arrived, setArrived] = createSignal(false)
  const step = () => next() ?? readyValue(load())
  return (
    <DashboardPage title={TITLES[step()?.name ?? 'loading']} narrow>
      <Loaded load={load()} again={again}>
        {() => (
          <Show when={step()} keyed>
            {step => (
              <>
                <Progress current={arrived() ? 'done' : step.name} />
                <StepView step={step} onNext={setNext} onArrived={() => setArrived(true)} />
              </>
            )}
          </Show>
        )}
      </Loaded>
    </DashboardPage>
  )
}

type StepProps = { step: Step; onNext: (step: Step) => void; onArrived: () => void }

function StepView(props: StepProps): JSX.Element {
  let box: HTMLDivElement | undefined
  onMount(() => (box?.querySelector('input') ?? box)?.focus())
  return (
    <div class="step" tabIndex={-1} ref={box}>
      {stepContent(props)}
    </div>
  )
}

function stepContent({ step, onNext, onArrived }: StepProps): JSX.Element {
  switch (step.name) {
    case 'workspace':
      return (
        <>
          <p class="dash-about">
            Workspaces hold channels and control who can see them. At first, only you can. You can invite your
            team later.
          </p>
          <CreateWorkspaceForm onCreated={workspace => onNext({ name: 'channel', workspace })} />
        </>
      )
    case 'channel':
      return (
        <>
          <p class="dash-about">
            Automations push cards into a channel of {step.workspace.name}, and its viewers see them at once.
          </p>
          <CreateChannelForm
            workspaceId={step.workspace.id}
            onCreated={channel => onNext({ name: 'card', channel, fresh: true })}
          />
        </>
      )
    case 'card':
      return <FirstCard channel={step.channel} fresh={step.fresh} onArrived={onArrived} />
    case 'done':
      return <Navigate href="/" />
  }
}

function Progress(props: { current: Step['name'] }): JSX.Element {
  const done = () =>
    props.current === 'done' ? STEPS.length : STEPS.findIndex(([name]) => name === props.current)
  return (
    <ol class="steps line small">
      <For each={STEPS}>
        {([name, label], index) => (
          <li
            classList={{ 'step-done': index() < done() }}
            aria-current={name === props.current ? 'step' : undefined}
          >
            {label}
          </li>
        )}
      </For>
    </ol>
  )
}

/** `workspace` and `channel`: ids of new ones, whose steps come next. */
async function fetchStep(fresh: { workspace?: string; channel?: string }): Promise<Step> {
  const workspaces = await fetchOwnChannels()
  const channels = workspaces.flatMap(({ channels }) => channels)
  const newChannel = channels.find(({ id }) => id === fresh.channel)
  if (newChannel) return { name: 'card', channel: newChannel, fresh: false }
  const newWorkspace = workspaces.find(({ workspace }) => workspace.id === fresh.workspace)
  if (newWorkspace) return { name: 'channel', workspace: newWorkspace.workspace }
  const [first] = workspaces
  if (!first) return { name: 'workspace' }
  const [channel] = channels
  if (!channel) return { name: 'channel', workspace: first.workspace }
  const hasCards = channels.some(({ card_count }) => card_count > 0)
  return hasCards ? { name: 'done' } : { name: 'card', channel, fresh: false }
}
