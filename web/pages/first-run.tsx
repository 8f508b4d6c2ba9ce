// The first run: create a workspace and a channel, then push a card. It continues where it was left.
import { Navigate } from '@solidjs/router'
import { createSignal, For, type JSX, Match, onMount, Show, Switch } from 'solid-js'
import { fetchChannels, fetchWorkspaces } from '../dashboard/api.ts'
import { CreateChannelForm } from '../dashboard/create-channel.tsx'
import { CreateWorkspaceForm } from '../dashboard/create-workspace.tsx'
import { DashboardPage } from '../dashboard/dashboard-page.tsx'
import { FirstCard } from '../dashboard/first-card.tsx'
import { createLoad, Loaded } from '../ui/load.tsx'
import './first-run.css'

type Step =
  | { name: 'workspace' }
  | { name: 'channel'; workspace: { id: string; name: string } }
  /** `fresh`: the channel was created just now, and its key follows without being asked. */
  | { name: 'card'; channel: { id: string; name: string; workspace_id: string }; fresh: boolean }
  | { name: 'done' }

const STEPS: [Step['name'], string][] = [
  ['workspace', 'Workspace'],
  ['channel', 'Channel'],
  ['card', 'First card'],
]

const TITLES: Record<Step['name'], string> = {
  workspace: 'Create your first workspace',
  channel: 'Create a channel',
  card: 'Push your first card',
  done: 'Ready',
}

export function FirstRunPage(): JSX.Element {
  const { load, again } = createLoad(fetchStep)
  const [next, setNext] = createSignal<Step>()
  const [arrived, setArrived] = createSignal(false)
  const step = () => {
    const now = load()
    return next() ?? (now.state === 'ready' ? now.value : undefined)
  }
  return (
    <DashboardPage title={titleOf(step())} narrow>
      <Loaded load={load()} again={again}>
        {first => (
          <>
            <Progress current={arrived() ? 'done' : (next() ?? first()).name} />
            <Show when={next() ?? first()} keyed>
              {step => <StepView step={step} onNext={setNext} onArrived={() => setArrived(true)} />}
            </Show>
          </>
        )}
      </Loaded>
    </DashboardPage>
  )
}

const titleOf = (step: Step | undefined) => step && TITLES[step.name]

type StepProps = { step: Step; onNext: (step: Step) => void; onArrived: () => void }

function StepView(props: StepProps): JSX.Element {
  const at = <Name extends Step['name']>(name: Name) => {
    const { step } = props
    return isStep(step, name) ? step : undefined
  }
  let box: HTMLDivElement | undefined
  onMount(() => (box?.querySelector('input') ?? box)?.focus())
  return (
    <div class="step" tabIndex={-1} ref={box}>
      <Switch>
        <Match when={at('workspace')}>
          <p class="dash-about">
            Workspaces hold channels and control who can see them. At first, only you can.
          </p>
          <CreateWorkspaceForm onCreated={workspace => props.onNext({ name: 'channel', workspace })} />
        </Match>
        <Match when={at('channel')}>
          {channel => (
            <>
              <p class="dash-about">
                Automations push cards into a channel of {channel().workspace.name}, and its viewers see them
                at once.
              </p>
              <CreateChannelForm
                workspaceId={channel().workspace.id}
                onCreated={channel => props.onNext({ name: 'card', channel, fresh: true })}
              />
            </>
          )}
        </Match>
        <Match when={at('card')}>
          {card => <FirstCard channel={card().channel} fresh={card().fresh} onArrived={props.onArrived} />}
        </Match>
        <Match when={at('done')}>
          <Navigate href="/" />
        </Match>
      </Switch>
    </div>
  )
}

function isStep<Name extends Step['name']>(step: Step, name: Name): step is Extract<Step, { name: Name }> {
  return step.name === name
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

/** The first step that isn't done. */
async function fetchStep(): Promise<Step> {
  const workspaces = await fetchWorkspaces()
  const [workspace] = workspaces
  if (!workspace) return { name: 'workspace' }
  const channels = (await Promise.all(workspaces.map(({ id }) => fetchChannels(id)))).flat()
  const [channel] = channels
  if (!channel) return { name: 'channel', workspace }
  const hasCards = channels.some(({ card_count }) => card_count > 0)
  return hasCards ? { name: 'done' } : { name: 'card', channel, fresh: false }
}
