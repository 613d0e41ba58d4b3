import './clean-html.css'
import purify from 'dompurify'
import { useMemo } from 'react'

/** Sanitized HTML of the operator, without scripts, forms or styles. Load it lazily. */
export default function CleanHtml({ html }: { html: string }) {
  const clean = useMemo(() => purify.sanitize(html, { FORBID_TAGS: ['style', 'form', 'input', 'button'] }), [html])
  return <div className="clean-html" dangerouslySetInnerHTML={{ __html: clean }} />
}
