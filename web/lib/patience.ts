/** Resolves after `ms` milliseconds, to race with a promise that may never settle. */
export const patience = (ms: number) => new Promise<undefined>(resolve => setTimeout(resolve, ms))
