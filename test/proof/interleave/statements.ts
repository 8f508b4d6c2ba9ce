// Connections whose statements wait for the scheduler twice: before the database gets them and before the instance gets
// the answer. A transaction counts as one statement, with the queries that are made during it. Faults strike in between.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Sql } from '../../../server/database/connect.ts'
import type { Turn } from '../../../server/feed/log/turn.ts'
import type { Instance } from './instance.ts'
import type { StatementFault } from './plan.ts'
import { never, turnKey } from './scene.ts'
import { runOutside } from './timers.ts'

type Kind = 'commit' | 'read'
type Execute = () => Promise<unknown>

const TRANSACTION = 'transaction'
const transaction = new AsyncLocalStorage<true>()

export function scheduledSql(instance: Instance, kind: Kind): Sql {
  return new Proxy(instance.scene.database.sql, {
    apply(target, self, args) {
      const query: unknown = Reflect.apply(target, self, args)
      const [first] = args
      if (!(query instanceof Promise && Array.isArray(first) && 'raw' in first)) return query
      return whenAwaited(query, execute => carryOut(instance, kind, textOf(first), execute))
    },
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (name !== 'begin' || typeof value !== 'function') return value
      return (...args: unknown[]) =>
        carryOut(instance, kind, TRANSACTION, () =>
          transaction.run(true, async () => Reflect.apply(value, target, args)),
        )
    },
  })
}

/** A query is sent when it is awaited: until then it may be a part of another one. */
function whenAwaited(query: Promise<unknown>, carryOut: (execute: Execute) => Promise<unknown>) {
  let answer: Promise<unknown> | null = null
  const own = {
    // biome-ignore lint/suspicious/noThenProperty: it replaces that of the driver's query
    then: (...given: Parameters<Promise<unknown>['then']>) => sent().then(...given),
    catch: (...given: Parameters<Promise<unknown>['catch']>) => sent().catch(...given),
    finally: (...given: Parameters<Promise<unknown>['finally']>) => sent().finally(...given),
  }
  function sent(): Promise<unknown> {
    answer ??= carryOut(async () => {
      for (const name of Object.keys(own)) Reflect.deleteProperty(query, name)
      return await query
    })
    return answer
  }
  return Object.assign(query, own)
}

const textOf = (strings: unknown[]) => String(strings[0]).trim().replace(/\s+/g, ' ').slice(0, 40)

async function carryOut(instance: Instance, kind: Kind, text: string, execute: Execute): Promise<unknown> {
  if (transaction.getStore()) return runOutside(execute)
  const { scene, name } = instance
  const { steps, faults } = scene
  const alone = kind === 'commit' && text === TRANSACTION
  // A channel has one turn at a time.
  const turn = kind === 'commit' ? instance.turn : null
  const atOnce = async () => {
    const result = await steps.undivided(() => runOutside(execute))
    // A turn that is committed alone was made during the transaction.
    const committed = alone ? instance.turn : turn
    if (committed) scene.committed.add(turnKey(committed.client_id, committed.clock))
    return result
  }

  await steps.point(`${name} sends ${kind} ${text}`)
  if (!instance.alive && !instance.sent) return never()
  const fault = instance.alive ? faults.statement(kind) : null
  if (fault) {
    steps.trace.push(`  ${fault}`)
    scene.felt.push(`${kind}: ${fault}`)
  }
  // A transaction that makes its turn ends with its connection.
  if (fault === 'late' && !alone)
    void steps.point(`late ${kind} of ${name}: ${text}`).then(() => atOnce().catch(() => {}))
  const answer = fault === null || fault === 'answer lost' ? settled(atOnce()) : null
  const result = await answer
  await instance.point(`gets answer to ${text}`)
  if (fault) throw errorOf(fault)
  if (result?.error) throw result.error
  return result?.value
}

const settled = (promise: Promise<unknown>) =>
  promise.then(
    value => ({ value, error: null }),
    (error: unknown) => ({ value: null, error }),
  )

function errorOf(fault: StatementFault): Error {
  const [message, code] =
    fault === 'cancelled'
      ? ['canceling statement due to user request', '57014']
      : ['the connection closed', 'CONNECTION_CLOSED']
  return Object.assign(new Error(message), { code })
}

export type TurnUnderWay = Pick<Turn, 'client_id' | 'clock'>
