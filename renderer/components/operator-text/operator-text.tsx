import './operator-text.css'
import { Classes } from '@blueprintjs/core'
import { parse } from 'marked'
import { useMemo } from 'react'
import CleanHtml from '../clean-html/clean-html.tsx'

/** Sanitized Markdown or HTML of the operator. Load it lazily. */
export default function OperatorText({ text }: { text: string }) {
  const html = useMemo(() => parse(text, { gfm: true, breaks: true, async: false }), [text])
  return (
    <div className={`operator-text ${Classes.RUNNING_TEXT}`}>
      <CleanHtml html={html} />
    </div>
  )
}
