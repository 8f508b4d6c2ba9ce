// Copies text. Browsers offer the clipboard only over HTTPS and on localhost, and people may forbid it.

/** Resolves to true if the text was copied. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelection(text)
  }
}

function copySelection(text: string): boolean {
  const holder = document.createElement('textarea')
  holder.value = text
  holder.style.position = 'fixed'
  const focused = document.activeElement
  document.body.append(holder)
  holder.select()
  const copied = document.execCommand('copy')
  holder.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return copied
}
