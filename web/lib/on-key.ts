// Every listener for keys goes through `onKey`, so that none hears a key that belongs to an input method: the Enter that
// confirms a Japanese, Chinese or Korean conversion must not send what is half written.

export function onKey<E extends KeyboardEvent>(listener: (event: E) => unknown): (event: E) => void {
  return event => {
    if (!isForInputMethod(event)) listener(event)
  }
}

/** Safari sends the Enter that confirms after the composition has ended, with the key code 229. */
const isForInputMethod = ({ isComposing, keyCode }: KeyboardEvent) => isComposing || keyCode === 229
