// The frame of the pages before a session: the product's sign, a heading, and links at the foot.
import { A } from '@solidjs/router'
import type { JSX } from 'solid-js'
import { Logo } from '../ui/logo.tsx'
import { ThemeToggle } from '../ui/theme-toggle.tsx'
import './door.css'

export function Door(props: { title: string; about: JSX.Element; children: JSX.Element }): JSX.Element {
  return (
    <div class="door">
      <main class="door-in">
        <header class="door-head">
          <A href="/" aria-label="Channel Feed, home">
            <Logo size={40} />
          </A>
          <h1>{props.title}</h1>
          <p class="quiet">{props.about}</p>
        </header>
        {props.children}
      </main>
      <footer class="door-foot">
        <A href="/docs">API reference</A>
        <ThemeToggle />
      </footer>
    </div>
  )
}
