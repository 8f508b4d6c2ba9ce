// Why the server closes a viewer's socket. Stock y-websocket clients (3.1 and newer) do not come back after 4400-4499.

/** The session or key that the socket was opened with has ended, or a password is now asked. */
export const CLOSE_SIGNED_OUT = 4401
/** The viewer may no longer see the channel, or the workspace's page. */
export const CLOSE_FORBIDDEN = 4403
/** The channel, or the workspace, is deleted. */
export const CLOSE_DELETED = 4404
/** The viewer's document belongs to a lost timeline (a restored backup): drop it and sync anew. */
export const CLOSE_LOST_TIMELINE = 4409
/** The viewer did not take its frames in time: come back later (RFC 6455 registry). */
export const CLOSE_TRY_AGAIN = 1013
/** The server stops (RFC 6455, 7.4.1). */
export const CLOSE_GOING_AWAY = 1001
/** The viewer sent what no viewer sends (RFC 6455, 7.4.1). */
export const CLOSE_POLICY = 1008
