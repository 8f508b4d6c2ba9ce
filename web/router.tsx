// The routes. The channel page is part of the first script; the other pages load when they are opened.
import { Route, Router } from '@solidjs/router'
import { type JSX, lazy } from 'solid-js'
import { keepInvite } from './data/kept-invite.ts'
import { createOutbox, OutboxContext } from './data/outbox/outbox.ts'
import { ReadMarksProvider } from './data/read-marks.tsx'
import { SessionProvider } from './data/session.tsx'
import { takeFragment } from './lib/take-fragment.ts'
import { ChannelPage } from './pages/channel.tsx'
import { Frame } from './shell/frame.tsx'

const HomePage = lazy(() => import('./pages/home.tsx'))
const SignInPage = lazy(() => import('./pages/sign-in.tsx'))
const ResetPasswordPage = lazy(() => import('./pages/reset-password.tsx'))
const DashboardPages = lazy(() => import('./pages/dashboard.tsx'))
const WorkspacePage = lazy(() => import('./pages/workspace.tsx'))
const JoinPage = lazy(() => import('./pages/join.tsx'))
const DocsPage = lazy(() => import('./pages/docs.tsx'))
const NotFoundPage = lazy(() => import('./pages/not-found.tsx'))

export function App(): JSX.Element {
  return (
    <SessionProvider>
      <OutboxContext.Provider value={createOutbox()}>
        <ReadMarksProvider>
          <Router root={props => <Frame>{props.children}</Frame>}>
            <Route path="/" component={HomePage} />
            <Route path="/c/:channel_id" component={ChannelPage} />
            <Route path="/w/by-slug/:slug" component={WorkspacePage} />
            <Route path="/w/:slug" component={WorkspacePage} />
            <Route path="/sign-in" component={() => <SignInPage />} />
            <Route path="/sign-up" component={() => <SignInPage isNew />} />
            <Route path="/reset" component={ResetRoute} />
            <Route path="/join" component={JoinRoute} />
            <Route path="/docs" component={DocsPage} />
            <Route path="/dashboard/*" component={DashboardPages} />
            <Route path="*" component={NotFoundPage} />
          </Router>
        </ReadMarksProvider>
      </OutboxContext.Provider>
    </SessionProvider>
  )
}

/** Keeps the token at once, not only when the page has loaded. */
function JoinRoute(): JSX.Element {
  const token = takeFragment()
  if (token !== '') keepInvite(token)
  return <JoinPage />
}

/** Takes the token at once, not only when the page has loaded. */
function ResetRoute(): JSX.Element {
  const token = takeFragment()
  return <ResetPasswordPage token={token} />
}
