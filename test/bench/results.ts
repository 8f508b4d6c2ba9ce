// The samples of a run, and the Markdown table made of them: medians, and ratios taken round by round.
import { median } from './measure.ts'
import type { Goal, Sample, Scenario, Want } from './scenario.ts'
import type { Target } from './target.ts'

export type Taken = { scenario: string; target: string; round: number; sample: Sample }

const service = 'channel-feed'

/** One row per goal: the service, the others, the goal and whether it is met. */
export function resultTable(taken: Taken[], scenarios: Scenario[], targets: Target[]): string {
  const shown = targets.filter(({ name }) => taken.some(({ target }) => target === name))
  const head = ['', ...shown.map(({ title }) => title), 'Wanted', 'Measured']
  const rows = scenarios.flatMap(scenario =>
    scenario.goals.map(goal => {
      const figures = shown.map(({ name }) => show(median(figuresOf(taken, scenario, name, goal)), goal))
      const judged = goal.wants.map(want => judge(taken, scenario, goal, want, targets))
      const column = (key: 'wanted' | 'measured') => judged.map(entry => entry[key]).join('; ')
      return [`${goal.title} (${goal.unit})`, ...figures, column('wanted'), column('measured')]
    }),
  )
  return markdown([head, head.map((_, i) => (i === 0 ? '---' : '---:')), ...rows])
}

/** Every figure of a scenario, as medians per target. */
export function detailTable(taken: Taken[], scenario: Scenario): string {
  const mine = taken.filter(entry => entry.scenario === scenario.name)
  const figures = [...new Set(mine.flatMap(({ sample }) => Object.keys(sample)))]
  const rows = scenario.targets
    .filter(name => mine.some(({ target }) => target === name))
    .map(name => {
      const samples = mine.filter(({ target }) => target === name).map(({ sample }) => sample)
      return [
        name,
        ...figures.map(figure => brief(median(samples.map(sample => sample[figure] ?? Number.NaN)))),
      ]
    })
  return markdown([['', ...figures], ['---', ...figures.map(() => '---:')], ...rows])
}

export function brief(value: number): string {
  if (Number.isNaN(value)) return ''
  return Math.abs(value) >= 100
    ? Math.round(value).toLocaleString('en')
    : String(Number(value.toPrecision(3)))
}

function judge(taken: Taken[], scenario: Scenario, goal: Goal, want: Want, targets: Target[]) {
  const { at_least, at_most, of } = want
  const mine = byRound(taken, scenario, service, goal)
  const other = of === undefined ? null : byRound(taken, scenario, of, goal)
  const values = [...mine].map(([round, value]) => (other ? value / (other.get(round) ?? Number.NaN) : value))
  const value = median(values)
  const title = targets.find(({ name }) => name === of)?.title
  const bound = at_least === undefined ? `at most ${at_most}` : `at least ${at_least}`
  const wanted = of === undefined ? `${bound} ${goal.unit}` : `${bound}× ${title}`
  if (Number.isNaN(value)) return { wanted, measured: 'not measured' }
  const met = (at_least === undefined || value >= at_least) && (at_most === undefined || value <= at_most)
  const measured = of === undefined ? show(value, goal) : `${brief(value)}×`
  return { wanted, measured: met ? `**${measured}**` : `${measured}, missed` }
}

function byRound(taken: Taken[], scenario: Scenario, target: string, goal: Goal): Map<number, number> {
  const mine = taken.filter(entry => entry.scenario === scenario.name && entry.target === target)
  return new Map(mine.map(({ round, sample }) => [round, sample[goal.figure] ?? Number.NaN]))
}

function figuresOf(taken: Taken[], scenario: Scenario, target: string, goal: Goal): number[] {
  return [...byRound(taken, scenario, target, goal).values()]
}

function show(value: number, { digits }: Goal): string {
  if (Number.isNaN(value)) return '–'
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

function markdown(rows: string[][]): string {
  return rows.map(cells => `| ${cells.join(' | ')} |`).join('\n')
}
