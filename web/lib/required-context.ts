// A Solid context and the function that reads it, which throws if there is no provider.
import { createContext, useContext } from 'solid-js'

export function createRequiredContext<T>(name: string) {
  const context = createContext<T>()
  const use = (): T => {
    const value = useContext(context)
    if (value === undefined) throw new Error(`${name} has no provider here`)
    return value
  }
  return [context, use] as const
}
