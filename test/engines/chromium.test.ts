// The rules that hold in every browser, in Chromium.
import { everyRule } from './rules/every-rule.ts'
import { runIn } from './support/stage.ts'

runIn('chromium', everyRule)
