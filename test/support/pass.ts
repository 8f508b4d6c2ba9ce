// Viewers with cookies or a key: authorized, rejected, or closed later.
import type * as Y from 'yjs'
import type { HeaderAction } from '../../shared/header-action.ts'
import { openSocket, until, upgradeStatus, watch } from './viewer.ts'

/** A viewer's credentials. */
export type Pass = { cookie?: string; token?: string; origin?: string }

/** The status of the upgrade; 101 if the viewer is authorized. */
export function statusFor(url: string, channel_id: string, pass: Pass): Promise<number> {
  return upgradeStatus(url, pathFor(channel_id, pass), headersFor(pass))
}

/** Resolves when the socket is open. `closed`: the close code. */
export async function enter(url: string, channel_id: string, pass: Pass) {
  const { socket, closed } = await openSocket(url, pathFor(channel_id, pass), headersFor(pass))
  return { closed, isOpen: () => socket.readyState === socket.OPEN, leave: () => socket.terminate() }
}

/** A stock client. Resolves when it has the document. */
export async function watchChannel(url: string, channel_id: string, token: string) {
  const { doc, leave } = watch(url, channel_id, { token })
  const viewer = {
    doc,
    leave,
    until: (holds: (doc: Y.Doc) => boolean) => until(() => holds(doc), 'the document is as it should be'),
  }
  await viewer.until(() => doc.getMap('channel').has('name'))
  return viewer
}

/** The header actions of a channel's document. */
export const actionsOf = (doc: Y.Doc): HeaderAction[] =>
  doc.getMap<HeaderAction[]>('channel').get('actions') ?? []

function pathFor(channel_id: string, { token }: Pass): string {
  return `/sync/${channel_id}${token === undefined ? '' : `?token=${token}`}`
}

function headersFor({ cookie, origin }: Pass): Record<string, string> {
  return { ...(cookie && { Cookie: cookie }), ...(origin && { Origin: origin }) }
}
