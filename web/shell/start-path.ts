// The addresses of the steps that follow a new workspace and a new channel.

/** Creates the first channel of a workspace. */
export const firstChannelIn = (workspaceId: string) => `/dashboard/start?workspace=${workspaceId}`

/** Pushes the first card into a channel. */
export const firstCardIn = (channelId: string) => `/dashboard/start?channel=${channelId}`

/** Opens the dialog for a new channel. */
export const newChannelIn = (workspaceId: string) => `/?new=channel-${workspaceId}`
