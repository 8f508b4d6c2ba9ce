// Mistakes in what others are shown or sent: viewers, event streams, workspace pages, receivers of webhooks.
import type { Mutants } from './mutant.ts'

export const READER_MUTANTS: Mutants = {
  'drop-notices': {
    checker: 'viewers',
    promise: 'P6',
    changes: [
      { in: 'Feeds.#checkQuietLogs', replace: 'performance.now() - QUIET_MS', by: '-Infinity' },
      {
        in: 'Feeds.constructor',
        replace: 'bus.publish(notice)',
        by: 'if (Math.random() > 0.3) bus.publish(notice)',
      },
    ],
  },
  'join-without-rest': {
    checker: 'viewers',
    promise: 'P5',
    changes: [
      {
        in: 'ChannelAudience.#trySendState',
        replace: 'this.#restFrom(catchUp.clock, now)',
        by: 'UP_TO_DATE_FRAME',
      },
    ],
  },
  'late-workspace-page': {
    checker: 'live',
    promise: 'P6',
    changes: [
      {
        in: 'dispatch',
        replace: 'return workspaces.channelGrew(notice.channel_id)',
        by: 'return void setTimeout(() => workspaces.channelGrew(notice.channel_id), 5_000)',
      },
    ],
  },
  'page-copy-for-each-reader': {
    checker: 'bounds',
    promise: 'P15',
    needs: { kind: 'neighbour', instance: 0 },
    changes: [{ in: 'PageCopies.get', replace: 'if (known?.etag === etag) return known.copy' }],
  },
  'publish-before-commit': {
    checker: 'viewers',
    promise: 'P5',
    changes: [
      {
        in: 'ChannelWriter.#tryTurn',
        replace: 'const result = made?.turn',
        by: `if (made?.turn) this.#publish(held, made.context.log_head, made.turn)
          const result = made?.turn`,
      },
      { in: 'ChannelWriter.#committed', replace: 'this.#publish(held, log_head, turn)' },
    ],
  },
  'resume-after-interactions': {
    checker: 'streams',
    promise: 'P5',
    changes: [
      {
        in: 'startPosition',
        replace: 'known ? given : latest',
        by: 'known ? { ...given, number: latest.number } : latest',
      },
    ],
  },
  'send-without-mark': {
    checker: 'webhooks',
    promise: 'P8',
    changes: [
      {
        in: 'WebhookSender.#send',
        replace: 'markSent(sql, delivery, history.current)',
        by: 'Promise.resolve(true)',
      },
    ],
  },
  'sign-with-old-secret': {
    checker: 'signatures',
    promise: 'P8',
    changes: [
      {
        in: 'validSecrets',
        replace: 's.secret, case when s.previous_until > now() then s.previous_secret end',
        by: 'coalesce(s.previous_secret, s.secret)',
      },
    ],
  },
  'stale-page': {
    checker: 'pages',
    promise: 'P5',
    changes: [
      {
        in: 'LiveDocument.#client_id',
        replace: 'readonly #client_id: number',
        by: `readonly #client_id: number
          #stale = null`,
      },
      {
        in: 'LiveDocument.page',
        replace: 'const map = ',
        by: `if (this.#stale?.page === page) return this.#stale.cards
          const map = `,
      },
      {
        in: 'LiveDocument.patch',
        replace: 'writePatch(',
        by: `this.#stale = { page: pageOf(card.position), cards: this.page(pageOf(card.position)) }
          writePatch(`,
      },
    ],
  },
  'unlisted-deletion': {
    checker: 'once',
    promise: 'P1',
    changes: [
      {
        in: 'EncodedDocument.#delete',
        replace: 'turn.deleted.push({ clock, length: 1 })',
        by: '',
      },
    ],
  },
  'wait-for-what-was-decided': {
    checker: 'views',
    promise: 'P6',
    changes: [{ in: 'readWaitingCards', replace: "state = 'waiting'", by: "state <> 'cancelled'" }],
  },
}
