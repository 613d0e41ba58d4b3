import { Button, Classes, HTMLTable } from '@blueprintjs/core'
import { Duplicate } from '@blueprintjs/icons'
import type { MarkedToken, Token, Tokens } from 'marked'
import { useCopy } from '../../../components/copy-text/use-copy.tsx'
import { useTranslation } from '../../../translation.ts'
import { Inlines } from './inlines.tsx'
import { keyed } from './keyed.ts'

export const Blocks = ({ tokens }: { tokens: readonly Token[] }) =>
  keyed(tokens).map(({ key, item }) => <Block key={key} token={item} />)

function Block({ token: raw }: { token: Token }) {
  const token = raw as MarkedToken // no extension is loaded that would add other kinds
  switch (token.type) {
    case 'paragraph':
      return (
        <p>
          <Inlines tokens={token.tokens} />
        </p>
      )
    case 'heading':
      return (
        // The page has its own h1; headings in answers share one lower level.
        <h2 className="markdown-heading">
          <Inlines tokens={token.tokens} />
        </h2>
      )
    case 'code':
      return <CodeBlock code={token.text} language={token.lang ?? ''} />
    case 'list':
      return <List token={token} />
    case 'blockquote':
      return (
        <blockquote className={Classes.BLOCKQUOTE}>
          <Blocks tokens={token.tokens} />
        </blockquote>
      )
    case 'table':
      return <Table token={token} />
    case 'hr':
      return <hr />
    case 'html':
      return token.text.trim() ? <p>{token.text}</p> : null
    case 'space':
    case 'def':
      return null
    default:
      return <Inlines tokens={[token]} />
  }
}

function List({ token: { ordered, start, items } }: { token: Tokens.List }) {
  const rows = keyed(items).map(({ key, item }) => (
    <li key={key}>
      <Blocks tokens={item.tokens} />
    </li>
  ))
  return ordered ? <ol start={start === '' ? 1 : start}>{rows}</ol> : <ul>{rows}</ul>
}

function Table({ token: { header, rows } }: { token: Tokens.Table }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by the keyboard, too
    <div className="markdown-table" tabIndex={0}>
      <HTMLTable compact bordered>
        <thead>
          <tr>
            {keyed(header).map(({ key, item }) => (
              <th key={key} scope="col">
                <Inlines tokens={item.tokens} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {keyed(rows).map(({ key, item }) => (
            <tr key={key}>
              {keyed(item).map((cell) => (
                <td key={cell.key}>
                  <Inlines tokens={cell.item.tokens} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </HTMLTable>
    </div>
  )
}

function CodeBlock({ code, language }: { code: string; language: string }) {
  const { t } = useTranslation()
  const { copy, dialog } = useCopy()
  return (
    <figure className="markdown-code">
      <figcaption>
        <span className={`${Classes.MONOSPACE_TEXT} ${Classes.TEXT_SMALL}`}>{language || t('play.code')}</span>
        <Button
          size="small"
          variant="minimal"
          icon={<Duplicate size={12} />}
          text={t('label.copy')}
          aria-label={t('play.copyCode')}
          onClick={() => copy(code, t('play.code'))}
        />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by the keyboard, too */}
      <pre className={Classes.CODE_BLOCK} tabIndex={0}>
        <code>{code}</code>
      </pre>
      {dialog}
    </figure>
  )
}
