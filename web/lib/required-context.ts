// A Solid context whose value must be provided.
import { createContext, useContext } from 'solid-js'

/** Returns the context, and the function that reads it. That one throws if there is no provider. */
export function createRequiredContext<T>(name: string) {
  const context = createContext<T>()
  const use = (): T => {
    const value = useContext(context)
    if (value === undefined) throw new Error(`${name} has no provider here`)
    return value
  }
  return [context, use] as const
}
