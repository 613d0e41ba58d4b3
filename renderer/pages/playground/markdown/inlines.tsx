import { Classes } from '@blueprintjs/core'
import type { MarkedToken, Token } from 'marked'
import type { ReactNode } from 'react'
import { keyed } from './keyed.ts'

/** A run of text with what marks parts of it. */
export const Inlines = ({ tokens }: { tokens: readonly Token[] }) =>
  keyed(tokens).map(({ key, item }) => <Inline key={key} token={item} />)

function Inline({ token: raw }: { token: Token }) {
  const token = raw as MarkedToken // no extension is loaded that would make other kinds
  switch (token.type) {
    case 'strong':
      return (
        <strong>
          <Inlines tokens={token.tokens} />
        </strong>
      )
    case 'em':
      return (
        <em>
          <Inlines tokens={token.tokens} />
        </em>
      )
    case 'del':
      return (
        <del>
          <Inlines tokens={token.tokens} />
        </del>
      )
    case 'codespan':
      return <code className={Classes.CODE}>{token.text}</code>
    case 'br':
      return <br />
    case 'link':
      return (
        <Leaving href={token.href}>
          <Inlines tokens={token.tokens} />
        </Leaving>
      )
    case 'image':
      // An image is a request to wherever the model says, so it is offered, never fetched.
      return <Leaving href={token.href}>{token.text || token.href}</Leaving>
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ '
    case 'text':
      return token.tokens ? <Inlines tokens={token.tokens} /> : plain(token.text)
    default:
      return plain('text' in token ? token.text : token.raw)
  }
}

/** A link to another site, in a window of its own that knows nothing of this one; other schemes are only text. */
function Leaving({ href, children }: { href: string; children: ReactNode }) {
  if (!/^(https?:|mailto:)/i.test(href)) return children
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" title={href}>
      {children}
    </a>
  )
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': '\u00a0',
}

/** Markdown may name a character; these are the names in use. */
const plain = (text: string): string => text.replace(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (name) => entities[name] ?? name)
