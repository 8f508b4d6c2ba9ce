// The rules that hold in every browser. docs/browsers.md says what they can't show.
import { accountRules } from './account.ts'
import { draftRules } from './drafts.ts'
import { pageRules } from './pages.ts'

export function everyRule(): void {
  accountRules()
  draftRules()
  pageRules()
}
