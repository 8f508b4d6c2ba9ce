// The document's descriptions: paragraphs, headings, tables, code and links of Markdown.
import { For, type JSX, Match, Switch } from 'solid-js'

export function Markdown(props: { text: string }): JSX.Element {
  return (
    <For each={props.text.trim().split(/\n{2,}/)}>
      {block => (
        <Switch
          fallback={
            <p>
              <Inline text={block} />
            </p>
          }
        >
          <Match when={block.startsWith('## ')}>
            <h3>{block.slice(3)}</h3>
          </Match>
          <Match when={block.startsWith('|')}>
            <Table lines={block.split('\n')} />
          </Match>
        </Switch>
      )}
    </For>
  )
}

export function Inline(props: { text: string }): JSX.Element {
  return (
    <For each={props.text.split('`')}>
      {(part, at) => (at() % 2 === 1 ? <code>{part}</code> : <Links text={part} />)}
    </For>
  )
}

/** `[name](address)` becomes a link. */
function Links(props: { text: string }): JSX.Element {
  return (
    <For each={props.text.split('[')}>
      {(part, at) => {
        const [name = '', rest = ''] = part.split('](')
        const [href = '', ...after] = rest.split(')')
        if (!href.startsWith('https:')) return at() > 0 ? `[${part}` : part
        return (
          <>
            <a href={href} target="_blank" rel="noopener noreferrer">
              {name}
            </a>
            {after.join(')')}
          </>
        )
      }}
    </For>
  )
}

function Table(props: { lines: string[] }): JSX.Element {
  const cells = (line = '') =>
    line
      .split('|')
      .slice(1, -1)
      .map(cell => cell.trim())
  return (
    <table class="ref-table">
      <thead>
        <tr>
          <For each={cells(props.lines[0])}>{cell => <th scope="col">{cell}</th>}</For>
        </tr>
      </thead>
      <tbody>
        <For each={props.lines.slice(2)}>
          {line => (
            <tr>
              <For each={cells(line)}>
                {cell => (
                  <td>
                    <Inline text={cell} />
                  </td>
                )}
              </For>
            </tr>
          )}
        </For>
      </tbody>
    </table>
  )
}
