// The tables of `npm run prove:scale`: medians over the rounds, the bounds at three instances, and the constants of the cost model.
import { median } from '../../bench/measure.ts'
import type { Bus } from '../../proof/cluster/cluster.ts'
import { LOADS, type LoadName } from './loads.ts'
import type { Cell } from './measure.ts'

type Read = (cell: Cell) => number
type Rows = { cells: Cell[]; bus: Bus }

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
const share = (value: number, of: number) => (of === 0 ? Number.NaN : value / of)

const service: Read = ({ cpu }) => sum(cpu.instances)
const perCard: Read = cell => share(service(cell), cell.cards)
const perDelivery: Read = cell => share(service(cell), cell.deliveries)
const lost: Read = ({ turns }) => share(turns.lost, turns.committed)
const rate: Read = cell => cell.cards / cell.seconds

const COLUMNS: [title: string, read: Read, digits: number][] = [
  ['cards/s', rate, 0],
  ['instances, µs/card', perCard, 0],
  ['PostgreSQL, µs/card', ({ cpu, cards }) => share(cpu.postgres, cards), 0],
  ['Redis, µs/card', ({ cpu, cards }) => share(cpu.redis, cards), 0],
  ['cards/turn', ({ cards, turns }) => share(cards, turns.committed), 1],
  ['lost/turn', lost, 2],
  ['queries/turn', ({ queries, turns }) => share(queries, turns.committed), 1],
  ['WAL bytes/turn', ({ wal_bytes, turns }) => share(wal_bytes, turns.committed), 0],
  ['messages/turn', ({ messages, turns }) => share(messages, turns.committed), 2],
  ['POST p99, ms', ({ post_p99 }) => post_p99, 1],
  ['noise', ({ noise }) => noise, 2],
]

function medianOf({ cells, bus }: Rows, load: LoadName, instances: number, read: Read): number {
  const mine = cells.filter(cell => cell.bus === bus && cell.load === load && cell.instances === instances)
  return median(mine.map(read))
}

const idlePerSecond: Read = ({ cpu, seconds }) => sum(cpu.instances) / cpu.instances.length / seconds

/** CPU of the instance that writes nothing, without what it takes when nothing happens, per turn of the others. */
function perForeignTurn(rows: Rows, load: LoadName, instances: number): number {
  const idle = medianOf(rows, 'idle', instances, idlePerSecond)
  return medianOf(rows, load, instances, ({ cpu, seconds, turns }) =>
    share((cpu.instances.at(-1) ?? Number.NaN) - idle * seconds, turns.committed),
  )
}

/** `bounded`: whether the run was long enough to be held to the bounds. */
export function report(cells: Cell[], bounded: boolean): string {
  const buses = [...new Set(cells.map(({ bus }) => bus))]
  return buses.flatMap(bus => ['', `Bus: ${bus}`, '', ...tablesOf({ cells, bus }, bounded)]).join('\n')
}

function tablesOf(rows: Rows, bounded: boolean): string[] {
  const counts = [...new Set(rows.cells.map(({ instances }) => instances))].sort((a, b) => a - b)
  const most = counts.at(-1) ?? 1
  const shown = LOADS.filter(({ name, rate }) => rate > 0 && name !== 'viewers')
  const main = shown.flatMap(({ name, title, instances_min }) =>
    counts
      .filter(count => count >= instances_min)
      .map(count => [
        title,
        String(count),
        ...COLUMNS.map(([, read, digits]) => show(medianOf(rows, name, count, read), digits)),
        show(medianOf(rows, name, 1, perCard) / medianOf(rows, name, count, perCard), 2),
      ]),
  )
  const viewed = counts.map(count => [
    String(count),
    ...[perDelivery, ({ seen_p99 }: Cell) => seen_p99, ({ noise }: Cell) => noise].map(read =>
      show(medianOf(rows, 'viewers', count, read), 2),
    ),
    show(medianOf(rows, 'viewers', 1, perDelivery) / medianOf(rows, 'viewers', count, perDelivery), 2),
  ])
  return [
    ...table(['load', 'instances', ...COLUMNS.map(([title]) => title), 'efficiency'], main),
    '',
    ...table(
      ['instances, 1,000 viewers', 'µs/delivery', 'POST to viewer p99, ms', 'noise', 'efficiency'],
      viewed,
    ),
    '',
    ...(bounded ? [...table([`with ${most} instances`, 'bound', 'measured'], boundsOf(rows, most)), ''] : []),
    ...table(['constant', 'measured'], constantsOf(rows, most)),
  ]
}

function boundsOf(rows: Rows, most: number): string[][] {
  const ratio = (load: LoadName, read: Read) =>
    medianOf(rows, load, most, read) / medianOf(rows, load, 1, read)
  const at_most = (what: string, value: number, bound: number) => [
    what,
    `≤ ${bound}`,
    judged(value, value <= bound),
  ]
  const hot = ratio('hot', rate)
  return [
    at_most('CPU per card, one instance a channel, × one instance', ratio('own', perCard), 1.15),
    at_most('CPU per card, written anywhere, × one instance', ratio('anywhere', perCard), 1.5),
    ['hot channel: cards/s, × one instance', '≥ 0.8', judged(hot, hot >= 0.8)],
    at_most('hot channel: lost turns per committed turn', medianOf(rows, 'hot', most, lost), 0.5),
    at_most('CPU per delivery, viewers spread, × one instance', ratio('viewers', perDelivery), 1.1),
    at_most(
      'CPU of an instance that uses none, µs per foreign turn',
      perForeignTurn(rows, 'bystander', most),
      5,
    ),
  ]
}

const constantsOf = (rows: Rows, most: number): string[][] => [
  ['a_card, µs of an instance', show(medianOf(rows, 'own', 1, perCard), 0)],
  [
    '… of PostgreSQL',
    show(
      medianOf(rows, 'own', 1, ({ cpu, cards }) => share(cpu.postgres, cards)),
      0,
    ),
  ],
  ['a_delivery, µs', show(medianOf(rows, 'viewers', 1, perDelivery), 1)],
  ['a_follow with one viewer, µs', show(perForeignTurn(rows, 'followers', most), 0)],
  [
    'a_join of an empty channel, µs',
    show(
      medianOf(rows, 'viewers', 1, ({ join_us }) => join_us),
      0,
    ),
  ],
  ['an instance that idles, µs/s', show(medianOf(rows, 'idle', most, idlePerSecond), 0)],
]

const judged = (value: number, holds: boolean) =>
  Number.isNaN(value) ? 'not measured' : `${value.toFixed(2)}${holds ? '' : ', **missed**'}`

const show = (value: number, digits: number) =>
  Number.isNaN(value)
    ? '–'
    : value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })

const table = (head: string[], rows: string[][]): string[] => [
  `| ${head.join(' | ')} |`,
  `|${head.map((_, i) => (i === 0 ? '---|' : '---:|')).join('')}`,
  ...rows.map(cells => `| ${cells.join(' | ')} |`),
]
