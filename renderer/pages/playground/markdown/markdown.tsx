import './markdown.css'
import { lexer } from 'marked'
import { useMemo } from 'react'
import { Blocks } from './blocks.tsx'

/**
 * Shows markdown as React elements, made from marked's tokens: nothing a model writes ever becomes HTML of the page, tags
 * in it are shown as the text they are.
 */
export default function Markdown({ text }: { text: string }) {
  const tokens = useMemo(() => lexer(text, { gfm: true, breaks: true }), [text])
  return (
    <div className="markdown">
      <Blocks tokens={tokens} />
    </div>
  )
}
