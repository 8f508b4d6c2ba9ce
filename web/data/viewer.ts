// What the page knows about the person in front of it, and whose acts are that person's. Pure.
import type { ChannelView } from '../../shared/channel-view.ts'
import type { DecidedBy } from '../../shared/decision.ts'

/** A view that an older version saved has neither `role` nor `can_act`. */
export type Viewer = Pick<ChannelView, 'role' | 'can_act' | 'owner_name' | 'you' | 'may_decide' | 'chosen'>

/** A person without a session. */
export const GUEST: Viewer = {
  role: null,
  can_act: true,
  you: { kind: 'anonymous', name: null },
  may_decide: [],
}

/**
 * Whether the viewer acted as the owner, on whatever device: a workspace has one. The name tells the owner from the one before
 * a transfer. Names of other people aren't unique.
 */
export const isByOwner = ({ kind, name }: DecidedBy, viewer: Viewer | undefined) =>
  kind === 'owner' && name !== null && viewer?.you.kind === 'owner' && viewer.you.name === name
