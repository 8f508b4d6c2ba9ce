// The token of the invite whose link opened this tab. No address has it, and it survives signing in and reloads.
import { tabStorage } from '../lib/text-storage.ts'

/** The page of invites. */
export const JOIN_PATH = '/join'

const KEY = 'invite'

/** Where the browser forbids the tab's storage, the token lasts until the next load. */
let inMemory: string | null = null

export const readInvite = () => inMemory ?? tabStorage.read(KEY)

export function keepInvite(token: string): void {
  inMemory = token
  tabStorage.write(KEY, token)
}

export function dropInvite(): void {
  inMemory = null
  tabStorage.remove(KEY)
}
