// The pages' policy forbids `eval`, and a browser reports even the attempt, which zod makes with its first object
// schema. It is set as zod's `jitless` would be, before the scripts of any page that has schemas: to import zod for it
// would bring it into the first ones.

declare global {
  var __zod_globalConfig: { jitless?: boolean } | undefined
}

globalThis.__zod_globalConfig = { ...globalThis.__zod_globalConfig, jitless: true }

export {}
