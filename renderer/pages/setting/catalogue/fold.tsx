import { ChevronRight } from '@blueprintjs/icons'
import type { ReactNode } from 'react'

type FoldProps = Readonly<{ title: string; children: ReactNode }>

/** What is seldom looked at, behind a line that opens it. */
export const Fold = ({ title, children }: FoldProps) => (
  <details className="catalogue-fold">
    <summary>
      <ChevronRight />
      {title}
    </summary>
    <div>{children}</div>
  </details>
)
