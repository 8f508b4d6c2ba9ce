// The generated parts of docs/reliability.md, from the results of a matrix, of the other faults, and of a soak.
import type { Felt } from '../../proof/felt.ts'
import { groupBy } from '../../proof/group.ts'
import type { Outcome, Verdict } from '../../proof/outcome.ts'
import type { Judged } from '../soak/judge-soak.ts'
import type { SoakResult } from '../soak/report.ts'

/** The runs of a file's newest commit. */
export type Runs = { outcomes: Outcome[]; sha256: string }
/** Null: there are none. */
export type Results = { matrix: Runs | null; faults: Runs | null; soak: SoakResult | null }

/** Markdown by the name of its part. */
export function makeParts({ matrix, faults, soak }: Results): Record<string, string> {
  return {
    ...(matrix && {
      figures: figuresOf(matrix.outcomes, matrix.sha256),
      seeds: seedsOf(matrix.outcomes),
    }),
    ...(matrix &&
      faults && {
        faults: faultsOf([...matrix.outcomes, ...faults.outcomes]),
        'fault runs': faultRunsOf(faults),
      }),
    ...(soak && { soak: soakOf(soak) }),
  }
}

/** A part begins with `<!-- generated: name -->` and ends with `<!-- end -->`. */
export function replaceParts(page: string, parts: Record<string, string>): string {
  return Object.entries(parts).reduce((text, [name, part]) => {
    const begin = `<!-- generated: ${name} -->`
    const from = text.indexOf(begin)
    const to = text.indexOf('<!-- end -->', from)
    if (from === -1 || to === -1) throw new Error(`the page has no part ${name}`)
    return `${text.slice(0, from)}${begin}\n${part}\n${text.slice(to)}`
  }, page)
}

function figuresOf(outcomes: Outcome[], raw_sha256: string): string {
  const measured = outcomes.filter(({ convergence }) => convergence !== null)
  const total = (of: (outcome: Outcome) => number) => group(outcomes.reduce((sum, one) => sum + of(one), 0))
  const count = (verdict: Verdict) => outcomes.filter(outcome => outcome.verdict === verdict).length
  const heal = measured.map(({ convergence }) => convergence?.heal ?? 0)
  const calm = measured.map(({ convergence }) => convergence?.calm ?? 0)
  const versions = measured.flatMap(({ figures }) =>
    figures ? [`PostgreSQL ${figures.versions.postgres}`] : [],
  )
  const nodes = measured.flatMap(({ figures }) => (figures ? [`Node ${figures.versions.node}`] : []))
  return [
    table(
      ['Runs', 'Promises hold', 'Broken', 'Inconclusive', 'Run failed'],
      [
        [outcomes.length, count('holds'), count('broken'), count('inconclusive'), count('failed')].map(
          String,
        ),
      ],
    ),
    '',
    table(
      ['Figure', 'Value'],
      [
        ['requests', total(({ operations }) => operations)],
        ['… with an unknown answer (5xx, cut, or no answer)', total(({ unknown }) => unknown)],
        ['turns in the log, all checked', total(({ turns }) => turns)],
        ['turns lost to another instance and made again (at least)', total(lostTurns)],
        [
          'faults that took effect',
          total(({ felt }) => felt.filter(({ evidence }) => evidence !== null).length),
        ],
        ['liveness runs', total(({ liveness }) => Number(liveness))],
        ['convergence after the heal, median / worst run', pair(heal)],
        [
          'from acknowledgement to the last viewer without faults, worst of a run: median / worst',
          pair(calm),
        ],
        ['duration of all runs', `${total(({ seconds }) => seconds)} s`],
      ],
    ),
    '',
    table(['Instances', 'Bus', 'PostgreSQL', 'Runs', 'Hold', 'Other'], bySize(outcomes)),
    '',
    `- Each run: ${[...new Set(outcomes.map(sizeOf))].join('; or ')}.`,
    `- ${originOf(outcomes)}`,
    `- ${[...new Set(outcomes.map(({ machine }) => machine))].join('; ')}. ${[...new Set([...nodes, ...versions])].join(', ')}. Load, service and database share the machine.`,
    `- SHA-256 of \`matrix.jsonl\`: \`${raw_sha256}\`.`,
  ].join('\n')
}

const lostTurns = ({ figures }: Outcome) => figures?.lost_turns ?? 0

const sizeOf = ({ size: { channels, large, cards, posters, viewers, steps, faults } }: Outcome) =>
  `${channels} channels of ${cards} cards${large > 0 ? ` (${large} large)` : ''}, ${posters} posters, ${viewers} viewers, ${steps} operations, ${faults} faults`

function bySize(outcomes: Outcome[]): string[][] {
  const groups = groupBy(outcomes, ({ size: { instances, bus, pg } }) => `${instances}|${bus}|${pg}`)
  return [...groups]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, runs]) => {
      const hold = runs.filter(({ verdict }) => verdict === 'holds').length
      return [...name.split('|'), ...[runs.length, hold, runs.length - hold].map(String)]
    })
}

function faultsOf(outcomes: Outcome[]): string {
  const felt = outcomes.flatMap(outcome => outcome.felt).filter(({ evidence }) => evidence !== null)
  const groups = [...groupBy(felt, ({ fault }) => fault)].sort(([a], [b]) => a.localeCompare(b))
  const rows = groups.map(([fault, all]) => {
    const over = (of: (one: Felt) => number) => pair(all.map(of))
    const failed = all.reduce((sum, one) => sum + one.failed, 0)
    const requests = all.reduce((sum, one) => sum + one.requests, 0)
    return [
      fault,
      String(all.length),
      over(({ lasted }) => lasted),
      `${failed} of ${group(requests)}`,
      over(({ failing }) => failing),
      over(({ away }) => away),
      over(({ late }) => late),
    ]
  })
  return table(
    [
      'Fault',
      'Times',
      'It lasted',
      'Requests that failed',
      'Requests fail for',
      'A viewer has no connection for',
      'A viewer shows a card later by',
    ],
    rows,
  )
}

function faultRunsOf({ outcomes, sha256 }: Runs): string {
  const red = outcomes.filter(({ verdict }) => verdict !== 'holds')
  const held = outcomes.length - red.length
  return [
    `- \`npm run prove:faults\`: ${held} of ${outcomes.length} runs hold. ${originOf(outcomes)}`,
    `- SHA-256 of \`faults.jsonl\`: \`${sha256}\`.`,
    ...redLines(red),
  ].join('\n')
}

function soakOf({ about, judged, figures, sha256 }: SoakResult): string {
  const row = ({ name, figure, limit, verdict }: Judged) => [name, figure, limit, verdict]
  return [
    table(['Figure', 'Measured', 'Limit', 'Verdict'], judged.map(row)),
    '',
    ...figures.map(figure => `- ${figure}`),
    '',
    `- \`npm run prove:soak -- ${about.duration}\`, commit \`${about.commit}\`, ${about.at.slice(0, 10)}. ${about.machine}.`,
    `- SHA-256 of \`samples.jsonl\`: \`${sha256}\`.`,
  ].join('\n')
}

function seedsOf(outcomes: Outcome[]): string {
  const [first] = outcomes
  if (!first) return 'No runs.'
  const rows = [...groupBy(outcomes, ({ seed }) => seed)].map(([seed, runs]) => [
    String(seed),
    runs.map(nameOf).join(', '),
    runs.map(({ sha256 }) => `\`${sha256.slice(0, 12)}\``).join(' '),
  ])
  const red = outcomes.filter(({ verdict }) => verdict !== 'holds')
  return [
    'For example:',
    '',
    '```sh',
    first.command,
    '```',
    '',
    table(['Seed', 'Instances × bus × PostgreSQL', 'SHA-256 of each run’s files (first 12 digits)'], rows),
    '',
    red.length === 0 ? 'Every run was green.' : 'Runs that were not green:',
    ...redLines(red),
  ].join('\n')
}

const redLines = (red: Outcome[]): string[] =>
  red.flatMap(({ verdict, command, findings, missing }) => [
    '',
    `- ${verdict}: \`${command}\``,
    ...findings.slice(0, 3).map(({ promise, message }) => `  - ${promise}: ${inLine(message)}`),
    ...missing.map(reason => `  - ${inLine(reason)}`),
  ])

/** Commit and days. */
function originOf(outcomes: Outcome[]): string {
  const commits = [...new Set(outcomes.map(({ commit }) => `\`${commit}\``))]
  const days = [...new Set(outcomes.map(({ at }) => at.slice(0, 10)))]
  return `Commit ${commits.join(', ')}, ${days.join(', ')}.`
}

const nameOf = ({ size: { instances, bus, pg } }: Outcome) => `${instances} × ${bus} × ${pg}`

/** The first line of a message, short enough for a list. */
const inLine = (message: string) => (message.split('\n')[0] ?? '').slice(0, 300)

/** Median / worst. */
function pair(values: number[]): string {
  const sorted = [...values].sort((a, b) => a - b)
  return `${time(sorted[Math.floor((sorted.length - 1) / 2)] ?? 0)} / ${time(sorted.at(-1) ?? 0)}`
}

const time = (ms: number) => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`)

const group = (count: number) => count.toLocaleString('en-US')

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
