import './markdown.css'
import { lexer } from 'marked'
import { useMemo } from 'react'
import { Blocks } from './blocks.tsx'

/**
 * Renders markdown as React elements from marked's tokens: a model's output never becomes HTML, and tags in it are
 * shown as text.
 */
export default function Markdown({ text }: { text: string }) {
  const tokens = useMemo(() => lexer(text, { gfm: true, breaks: true }), [text])
  return (
    <div className="markdown">
      <Blocks tokens={tokens} />
    </div>
  )
}
