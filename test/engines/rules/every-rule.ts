// The rules that hold in every browser. docs/browsers.md says what they can't show.
import { accountRules } from './account.ts'
import { draftRules } from './drafts.ts'
import { fieldRules } from './fields.ts'
import { keyboardRules } from './keyboard.ts'
import { liveRules } from './live.ts'
import { longFeedRules } from './long-feed.ts'
import { offlineRules } from './offline.ts'
import { pageRules } from './pages.ts'
import { storageRules } from './storage.ts'

export function everyRule(): void {
  accountRules()
  draftRules()
  storageRules()
  pageRules()
  fieldRules()
  liveRules()
  offlineRules()
  keyboardRules()
  longFeedRules()
}
