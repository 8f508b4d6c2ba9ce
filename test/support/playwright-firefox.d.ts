// The same library in an older version, which can drive Firefox. Its types differ only in what is newer.
declare module 'playwright-firefox' {
  export { firefox } from 'playwright-core'
}
