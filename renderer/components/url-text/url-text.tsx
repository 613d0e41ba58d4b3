import './url-text.css'
import { Classes } from '@blueprintjs/core'
import { Fragment } from 'react'

/** An address in full; breaks after a slash rather than within a word. */
export function UrlText({ url }: { url: string }) {
  let offset = 0
  return (
    <code className={`url-text ${Classes.MONOSPACE_TEXT}`}>
      {url.split(/(?<=\/)(?!\/)/).map((part) => {
        offset += part.length
        return (
          <Fragment key={offset}>
            {part}
            <wbr />
          </Fragment>
        )
      })}
    </code>
  )
}
