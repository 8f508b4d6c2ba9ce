// What web/build/emoji-plugin.ts makes.
declare module 'virtual:emojis' {
  const groups: [name: string, lines: string][]
  export default groups
}
