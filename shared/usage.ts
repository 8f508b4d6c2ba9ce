// What one UTC day has seen of a user's channels.

export type UsageDay = {
  /** `2026-01-31`. */
  day: string
  /** Pushed, and made: also what is deleted since. */
  cards: number
  channels: number
  /** Logged on this day, tests left out. */
  interactions: number
  /** Of the webhook deliveries that were queued on this day, redeliveries among them: those that are over. */
  delivered: number
  failed: number
}
