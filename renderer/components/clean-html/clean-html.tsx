import './clean-html.css'
import purify from 'dompurify'
import { useMemo } from 'react'

/** HTML that an operator wrote, without anything that runs, loads forms or leaves this page behind; it stays in its place. Load it lazily. */
export default function CleanHtml({ html }: { html: string }) {
  const clean = useMemo(() => purify.sanitize(html, { FORBID_TAGS: ['style', 'form', 'input', 'button'] }), [html])
  return <div className="clean-html" dangerouslySetInnerHTML={{ __html: clean }} />
}
