// Why the server closes a viewer's socket. Stock y-websocket clients (3.1 and newer) don't reconnect after 4400-4499.

/** The socket's session or key has ended, or the workspace now needs a password. */
export const CLOSE_SIGNED_OUT = 4401
export const CLOSE_FORBIDDEN = 4403
export const CLOSE_DELETED = 4404
/** The viewer's document belongs to a lost history (a restored backup). The viewer drops it and syncs again. */
export const CLOSE_LOST_TIMELINE = 4409
/** The viewer didn't read its frames in time. */
export const CLOSE_TRY_AGAIN = 1013
export const CLOSE_GOING_AWAY = 1001
/** This instance restarts, or can't bring the viewer up to date. The viewer reconnects to any instance. */
export const CLOSE_RESTART = 1012
export const CLOSE_POLICY = 1008
export const CLOSE_INTERNAL_ERROR = 1011
