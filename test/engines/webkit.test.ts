// The rules that hold in every browser, in WebKit.
import { everyRule } from './rules/every-rule.ts'
import { runIn } from './support/stage.ts'

runIn('webkit', everyRule)
