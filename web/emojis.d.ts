// The module that build/emoji-plugin.ts builds.
declare module 'virtual:emojis' {
  const groups: [name: string, lines: string][]
  export default groups
}
