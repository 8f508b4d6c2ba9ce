// When agents count as waiting, and when as gone. In milliseconds, and in one object so that tests can shorten them.

export const LOOK_TIMES = {
  /** How long a lease lasts. */
  lease: 40_000,
  /** A lease that ends sooner is renewed while somebody waits. */
  short: 25_000,
  /** How often an instance renews leases, all in one statement. */
  every: 5_000,
  /** How soon a decision without a lease gets one. */
  soon: 250,
  /** How often a look without a wait is written. */
  look: 30_000,
  /** How long a question stays that nobody has waited for. */
  first: 60_000,
  /** Nobody could renew a lease while the database was unreachable for so long. */
  unreachable: 5_000,
  /** How long clients have to come back after that. */
  grace: 60_000,
}
