// Copies a text and says so in a toast.
import { copyText } from '../ui/copy.tsx'
import { showToast } from '../ui/toast.tsx'

/** `what` starts the sentence. */
export async function copyAndTell(text: string, what: string): Promise<void> {
  showToast({ words: (await copyText(text)) ? `${what} copied` : `${what} could not be copied` })
}
