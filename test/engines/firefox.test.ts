// The rules that hold in every browser, in Firefox.
import { everyRule } from './rules/every-rule.ts'
import { runIn } from './support/stage.ts'

runIn('firefox', everyRule)
