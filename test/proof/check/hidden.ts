// D7: nobody sees a name where receipts are hidden.
import type { Files, Finding } from './files.ts'
import { limitOf } from './rights.ts'

export function checkHidden({ hidden, ...files }: Pick<Files, 'hidden' | 'marks' | 'machine'>): Finding[] {
  return hidden.flatMap(({ op, how, at, seen }) =>
    seen.flatMap(({ instance, named }) => {
      if (named === null) return []
      const late = `${((named - at) / 1e6).toFixed(1)} s after ${op}`
      const message = `a viewer at instance ${instance} was shown a name ${late} (${how})`
      // Before it became public, nobody could look.
      return how === 'public' || named > limitOf(at, files) ? [{ promise: 'D7', message }] : []
    }),
  )
}
