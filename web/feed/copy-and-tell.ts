// Copies a text and says so in a toast.
import { copyText } from '../lib/clipboard.ts'
import { showToast } from '../ui/toast.tsx'

/** `what` starts the sentence. */
export async function copyAndTell(text: string, what: string): Promise<void> {
  const copied = await copyText(text)
  showToast({
    words: copied ? `${what} copied` : `${what} not copied. Allow clipboard access, then try again.`,
  })
}
