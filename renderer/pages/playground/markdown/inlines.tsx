import { Classes } from '@blueprintjs/core'
import type { MarkedToken, Token } from 'marked'
import type { ReactNode } from 'react'
import { keyed } from './keyed.ts'

export const Inlines = ({ tokens }: { tokens: readonly Token[] }) =>
  keyed(tokens).map(({ key, item }) => <Inline key={key} token={item} />)

function Inline({ token: raw }: { token: Token }) {
  const token = raw as MarkedToken // no extension is loaded that would add other kinds
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
      // An image would be requested from an address that the model chooses, so it is shown as a link.
      return <Leaving href={token.href}>{token.text || token.href}</Leaving>
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ '
    case 'text':
      return token.tokens ? <Inlines tokens={token.tokens} /> : plain(token.text)
    default:
      return plain('text' in token ? token.text : token.raw)
  }
}

/** An external link that opens a new window without opener and referrer; other schemes are shown as text. */
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

/** Decodes the HTML entities in use. */
const plain = (text: string): string => text.replace(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (name) => entities[name] ?? name)
