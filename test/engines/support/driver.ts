// What a driver of a browser has to do for the engine tests. EngineWindow builds everything else from it.

/** A window with a profile of its own, of `SIZE` px. */
export type Driver = {
  /** Resolves at the page's load event. */
  goto: (url: string) => Promise<void>
  reload: () => Promise<void>
  back: () => Promise<void>
  /** The JSON value of an expression. Promises are awaited. */
  evaluate: (expression: string) => Promise<unknown>
  /** Presses one key, such as `Enter` or `Shift+Tab`. */
  press: (key: string) => Promise<void>
  /** Presses a key for each character. */
  type: (text: string) => Promise<void>
  /** A real click at a place of the window. */
  clickAt: (x: number, y: number) => Promise<void>
  /** A PNG. */
  shot: () => Promise<Buffer>
  close: () => Promise<void>
}

export const SIZE = { width: 1100, height: 800 }
