// Which page a path shows. The channel page is part of the app; the others load when they are needed.
import { Route, Router } from '@solidjs/router'
import { ErrorBoundary, type JSX, lazy, Suspense } from 'solid-js'
import { OutboxProvider } from './feed/outbox-context.tsx'
import { ReadMarksProvider } from './feed/read-marks.tsx'
import { ChannelPage } from './pages/channel.tsx'
import { Notice } from './shell/notice.tsx'
import { SessionProvider } from './shell/session.tsx'
import { TopBar } from './shell/top-bar.tsx'

const HomePage = lazy(() => import('./pages/home.tsx'))
const SignInPage = lazy(() => import('./pages/sign-in.tsx'))
const SignUpPage = lazy(() => import('./pages/sign-up.tsx'))
const DashboardPages = lazy(() => import('./pages/dashboard.tsx'))
const WorkspacePage = lazy(() => import('./pages/workspace.tsx'))
const NotFoundPage = lazy(() => import('./pages/not-found.tsx'))

export function App(): JSX.Element {
  return (
    <SessionProvider>
      <OutboxProvider>
        <ReadMarksProvider>
          <Router root={props => <Frame>{props.children}</Frame>}>
            <Route path="/" component={HomePage} />
            <Route path="/c/:channel_id" component={ChannelPage} />
            <Route path="/w/by-slug/:slug" component={WorkspacePage} />
            <Route path="/w/:slug" component={WorkspacePage} />
            <Route path="/sign-in" component={SignInPage} />
            <Route path="/sign-up" component={SignUpPage} />
            <Route path="/dashboard/*" component={DashboardPages} />
            <Route path="*" component={NotFoundPage} />
          </Router>
        </ReadMarksProvider>
      </OutboxProvider>
    </SessionProvider>
  )
}

function Frame(props: { children: JSX.Element }): JSX.Element {
  return (
    <ErrorBoundary fallback={error => <Crash error={error} />}>
      <Suspense>{props.children}</Suspense>
    </ErrorBoundary>
  )
}

function Crash(props: { error: unknown }): JSX.Element {
  console.error(props.error)
  return (
    <>
      <TopBar />
      <Notice title="Something went wrong">
        <p>This page failed to show. Reloading usually helps; what you typed is kept.</p>
        <button type="button" class="button button-primary" onClick={() => location.reload()}>
          Reload
        </button>
      </Notice>
    </>
  )
}
