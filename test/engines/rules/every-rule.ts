// The rules that hold in every browser. docs/browsers.md says what they can't show.
import { accountRules } from './account.ts'
import { builderRules } from './builder.ts'
import { draftRules } from './drafts.ts'
import { fieldRules } from './fields.ts'
import { keyboardRules } from './keyboard.ts'
import { liveRules } from './live.ts'
import { longFeedRules } from './long-feed.ts'
import { looksRules } from './looks.ts'
import { offlineRules } from './offline.ts'
import { pageRules } from './pages.ts'
import { storageRules } from './storage.ts'

export function everyRule(): void {
  accountRules()
  draftRules()
  storageRules()
  pageRules()
  looksRules()
  fieldRules()
  builderRules()
  liveRules()
  offlineRules()
  keyboardRules()
  longFeedRules()
}
