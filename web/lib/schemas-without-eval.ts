// Stops zod from trying `eval`, which the Content-Security-Policy forbids. This sets zod's option `jitless` without
// importing zod, because zod isn't part of the first script. It must run before any schema is created.

declare global {
  var __zod_globalConfig: { jitless?: boolean } | undefined
}

globalThis.__zod_globalConfig = { ...globalThis.__zod_globalConfig, jitless: true }

export {}
