// The card keys `.` and `..` never arrive: URLs resolve them as steps of the path, so that the request would mean another
// resource. They are replaced by a key that nobody can use, before the URL is parsed.
const DOTS = '\0dots'
const IN_PATH = /(\/cards\/by-key\/)(?:\.|%2e){1,2}(?=[/?#]|$)/i

export const keepDotKeys = (url: string | undefined) =>
  url?.replace(IN_PATH, (_, before: string) => before + encodeURIComponent(DOTS))

/** Whether the key in a path was `.` or `..`. */
export const isDotKey = (key: string) => key === DOTS || key === '.' || key === '..'
