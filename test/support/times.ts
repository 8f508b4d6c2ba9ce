/** Runs `work` `count` times in parallel. */
export const times = <T>(count: number, work: (i: number) => T | Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => work(i)))
