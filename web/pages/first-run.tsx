// The first run: a workspace, a channel, and a card in it. Left and opened again, it goes on where it was.
import { Navigate } from '@solidjs/router'
import { createSignal, For, type JSX, Match, onMount, Show, Switch } from 'solid-js'
import { FirstCard } from '../dashboard/first-card.tsx'
import { NewChannelForm } from '../dashboard/new-channel.tsx'
import { NewWorkspaceForm } from '../dashboard/new-workspace.tsx'
import { DashboardPage } from '../dashboard/page.tsx'
import { fetchChannelsByWorkspace } from '../data/owner-client.ts'
import { createLoad, Loaded } from '../ui/load.tsx'
import '../styles/first-run.css'

type Step =
  | { step: 'workspace' }
  | { step: 'channel'; workspace: { id: string; name: string } }
  /** `fresh`: the channel was made just now, and its key is made with it. */
  | { step: 'card'; channel: { id: string; name: string; workspace_id: string }; fresh: boolean }
  | { step: 'done' }

const STEPS: [Step['step'], string][] = [
  ['workspace', 'Workspace'],
  ['channel', 'Channel'],
  ['card', 'First card'],
]

const TITLES: Record<Step['step'], string> = {
  workspace: 'Create your first workspace',
  channel: 'Create a channel',
  card: 'Push your first card',
  done: 'Ready',
}

export function FirstRunPage(): JSX.Element {
  const { load, again } = createLoad(fetchStep)
  const [taken, setTaken] = createSignal<Step>()
  const [arrived, setArrived] = createSignal(false)
  const step = () => {
    const now = load()
    return taken() ?? (now.state === 'ready' ? now.value : undefined)
  }
  return (
    <DashboardPage title={titleOf(step())} narrow>
      <Loaded load={load()} again={again}>
        {found => (
          <>
            <Progress now={arrived() ? 'done' : (taken() ?? found()).step} />
            <Show when={taken() ?? found()} keyed>
              {step => <StepView step={step} onStep={setTaken} onArrived={() => setArrived(true)} />}
            </Show>
          </>
        )}
      </Loaded>
    </DashboardPage>
  )
}

const titleOf = (step: Step | undefined) => step && TITLES[step.step]

type StepProps = { step: Step; onStep: (step: Step) => void; onArrived: () => void }

function StepView(props: StepProps): JSX.Element {
  const at = <Name extends Step['step']>(name: Name) => {
    const { step } = props
    return isStep(step, name) ? step : undefined
  }
  let box: HTMLDivElement | undefined
  // To the first field, or to where the next step begins.
  onMount(() => (box?.querySelector('input') ?? box)?.focus())
  return (
    <div class="step" tabIndex={-1} ref={box}>
      <Switch>
        <Match when={at('workspace')}>
          <p class="dash-about">
            Workspaces hold channels, and decide who may see them. At first only you may.
          </p>
          <NewWorkspaceForm onCreated={workspace => props.onStep({ step: 'channel', workspace })} />
        </Match>
        <Match when={at('channel')}>
          {channel => (
            <>
              <p class="dash-about">
                A channel is a live feed in {channel().workspace.name}: automations push cards into it, and
                whoever has it open sees them at once.
              </p>
              <NewChannelForm
                workspaceId={channel().workspace.id}
                onCreated={created => props.onStep({ step: 'card', channel: created, fresh: true })}
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

function isStep<Name extends Step['step']>(step: Step, name: Name): step is Extract<Step, { step: Name }> {
  return step.step === name
}

function Progress(props: { now: Step['step'] }): JSX.Element {
  const reached = () =>
    props.now === 'done' ? STEPS.length : STEPS.findIndex(([step]) => step === props.now)
  return (
    <ol class="steps">
      <For each={STEPS}>
        {([step, words], index) => (
          <li
            classList={{ 'step-done': index() < reached() }}
            aria-current={step === props.now ? 'step' : undefined}
          >
            {words}
          </li>
        )}
      </For>
    </ol>
  )
}

/** The first thing that is still missing. */
async function fetchStep(): Promise<Step> {
  const workspaces = await fetchChannelsByWorkspace()
  const [first] = workspaces
  if (!first) return { step: 'workspace' }
  const channels = workspaces.flatMap(({ channels }) => channels)
  if (channels.length === 0) return { step: 'channel', workspace: first.workspace }
  const empty = channels.find(({ card_count }) => card_count === 0)
  const pushed = channels.some(({ card_count }) => card_count > 0)
  return empty && !pushed ? { step: 'card', channel: empty, fresh: false } : { step: 'done' }
}
