// The page for unknown paths.
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
        <Notice title="Page not found" icon={<IconSearch />}>
          <p>Check the address, or go home.</p>
          <A class="button button-secondary" href="/">
            Go home
          </A>
        </Notice>
      </main>
    </>
  )
}
