/** Resolves after so many milliseconds: for a race with what may never answer. */
export const patience = (ms: number) => new Promise<undefined>(resolve => setTimeout(resolve, ms))
