// Mistakes in what is written: the log, its rows, stored responses and quotas.
import type { Change } from './changes.ts'
import type { Mutants } from './mutant.ts'

const withoutKnownSeq: Change = {
  in: 'appendTurns',
  replace: 'and d.seq = t.known and d.client_id = t.client_id and d.clock = t.known_clock',
  by: 'and d.client_id = t.client_id',
}

export const COMMIT_MUTANTS: Mutants = {
  'answer-before-commit': {
    checker: 'once',
    promise: 'P1',
    changes: [
      {
        in: 'ChannelWriter.#tryTurn',
        replace: 'const result = made?.turn',
        by: `for (const { pending, outcome } of made?.applied ?? []) pending.resolve(outcome)
          const result = made?.turn`,
      },
    ],
  },
  'append-without-known-seq': {
    checker: 'once',
    promise: 'P2',
    changes: [
      withoutKnownSeq,
      { in: 'appendTurns', replace: 'set seq = t.known + 1', by: 'set seq = d.seq + 1' },
      { in: 'appendTurns', replace: 'returning d.channel_id', by: 'returning d.channel_id, d.seq' },
      { in: 'appendTurns', replace: 'epoch, known + 1, clock', by: 'epoch, appended.seq, clock' },
      {
        in: 'appendTurns',
        replace: 'from turn, decode(',
        by: 'from turn join appended using (channel_id), decode(',
      },
    ],
  },
  'count-quota-twice': {
    checker: 'quota',
    promise: 'P9',
    changes: [
      { in: 'appendCard', replace: 'cards = daily_usage.cards + 1', by: 'cards = daily_usage.cards + 2' },
    ],
  },
  'deletion-leaves-page': {
    checker: 'once',
    promise: 'P1',
    changes: [
      { in: 'TurnBuilder.finish', replace: 'const { card } of', by: 'const { card, is } of' },
      {
        in: 'TurnBuilder.finish',
        replace: 'if (this.#document.isArchived(',
        by: "if (is !== 'deleted' && this.#document.isArchived(",
      },
      {
        in: 'TurnBuilder.#delete',
        replace: 'this.#changeLive(card, () => this.#document.delete(card))',
        by: 'if (!this.#document.isArchived(pageOf(card.position))) this.#document.delete(card)',
      },
    ],
  },
  'forget-turn-id': {
    checker: 'once',
    promise: 'P2',
    needs: { kind: 'lost answers', instance: 0 },
    changes: [{ in: 'ChannelWriter.#settle', replace: 'pending.tried.set(turn.turn_id, outcome)', by: '{}' }],
  },
  'ignore-queue': {
    checker: 'stops',
    promise: 'P16',
    needs: { kind: 'stop', instance: 0, channel: 0 },
    changes: [
      {
        in: 'startAll',
        replace: 'const served = Promise.all([http.stop(), webhooks.stop()]) await feeds.settle()',
        by: 'void Promise.all([http.stop(), webhooks.stop()])',
      },
      {
        in: 'startAll',
        replace: 'await Promise.all([closed, feeds.takeLastSnapshots(), served])',
        by: 'await closed',
      },
    ],
  },
  'ignore-taken-key': {
    checker: 'once',
    promise: 'P2',
    changes: [{ in: 'appendTurns', replace: "then refuse('key_taken')", by: 'then null' }],
  },
  'keep-client-id': {
    checker: 'views',
    promise: 'P6',
    needs: { kind: 'failover', synchronous: false },
    changes: [
      {
        in: 'beginEpoch',
        replace: 'select epoch, seq, next_position',
        by: 'select epoch, seq, client_id, next_position',
      },
      { in: 'beginEpoch', replace: 'newClientId()', by: 'log_head.client_id' },
    ],
  },
  'keep-one-response-of-a-turn': {
    checker: 'once',
    promise: 'P2',
    changes: [
      {
        in: 'makeTurn',
        replace: 'responses: applied.flatMap(',
        by: 'responses: applied.slice(0, 1).flatMap(',
      },
    ],
  },
  'refuse-now-and-then': {
    checker: 'unavailable',
    promise: 'P14',
    changes: [
      {
        in: 'MutationQueue.push',
        replace: 'return new Promise(',
        by: `if (Math.random() < 0.1) throw unavailable()
          return new Promise(`,
      },
    ],
  },
  'reuse-seq': {
    checker: 'once',
    promise: 'P1',
    changes: [
      withoutKnownSeq,
      {
        in: 'appendTurns',
        replace: "'base64') as updates (all_bytes)",
        by: `'base64') as updates (all_bytes)
          on conflict (channel_id, epoch, seq) do update
            set clock = excluded.clock, turn_id = excluded.turn_id, update = excluded.update, events = excluded.events`,
      },
    ],
  },
  'snapshot-without-oldest-page': {
    checker: 'snapshots',
    promise: 'P1',
    needs: 'large',
    changes: [
      {
        in: 'encodeDocument',
        replace: 'const state = Y.encodeStateAsUpdate(doc)',
        by: `const pages = doc.getMap('pages')
          pages.delete(String(Math.min(...[...pages.keys()].map(Number))))
          const state = Y.encodeStateAsUpdate(doc)`,
      },
    ],
  },
  'trust-own-quota': {
    checker: 'quota',
    promise: 'P9',
    changes: [
      { in: 'countUsage', replace: 'or excluded.cards = 0', by: 'or true' },
      { in: 'appendCard', replace: 'or daily_usage.cards <', by: 'or true or daily_usage.cards <' },
    ],
  },
  'wait-at-limit': {
    checker: 'quota',
    promise: 'P9',
    changes: [
      {
        in: 'DailyQuota.refresh',
        replace: 'const [row] = await',
        by: `if (this.#days.has(user_id)) await new Promise(resolve => setTimeout(resolve, 5_000))
          const [row] = await`,
      },
    ],
  },
}
