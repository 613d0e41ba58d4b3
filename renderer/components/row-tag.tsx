import { Classes, type Intent } from '@blueprintjs/core'
import type { HTMLAttributes } from 'react'

type RowTagProps = HTMLAttributes<HTMLSpanElement> &
  Readonly<{ intent?: Intent; 'data-colour'?: string; 'data-band'?: string }>

/**
 * Looks like Blueprint's minimal `Tag`, for rows of lists; a text is its own title, since it may be cut. `Tag` measures
 * its text, which lays out the page and renders every tag a second time: 30 ms for 50 rows.
 */
export function RowTag({ intent, className, children, title, ...rest }: RowTagProps) {
  const classes = [Classes.TAG, Classes.MINIMAL, Classes.intentClass(intent), className]
  const own = typeof children === 'string' ? children : undefined
  return (
    <span {...rest} className={classes.filter(Boolean).join(' ')} title={title ?? own}>
      <span className={`${Classes.FILL} ${Classes.TEXT_OVERFLOW_ELLIPSIS}`}>{children}</span>
    </span>
  )
}
