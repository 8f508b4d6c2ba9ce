// A path that shows nothing.
import { A } from '@solidjs/router'
import { TopBar } from '../shell/top-bar.tsx'
import { createDocumentTitle } from '../ui/document-title.ts'
import { IconSearch } from '../ui/icons.tsx'
import { Notice } from '../ui/notice.tsx'

export default function NotFoundPage() {
  createDocumentTitle(() => 'Not found')
  return (
    <>
      <TopBar />
      <main class="page">
        <Notice title="There is nothing here" icon={<IconSearch />}>
          <p>The address may be mistyped, or what it showed is gone.</p>
          <A class="button button-secondary" href="/">
            Go home
          </A>
        </Notice>
      </main>
    </>
  )
}
