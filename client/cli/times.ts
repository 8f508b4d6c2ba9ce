// Times in tables and streams: short on a terminal, exact in a pipe.

const short = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short' })

/** `iso`: a timestamp of the service. On a terminal it is local, without seconds. */
export const shownTime = (iso: string) => (process.stdout.isTTY ? short.format(new Date(iso)) : iso)
