import './selection-bar.css'
import { Card } from '@blueprintjs/core'
import type { ReactNode } from 'react'

/** The actions on selected rows, below the list: no row moves when they appear, and they stay visible. */
export function SelectionBar({ children }: { children: ReactNode }) {
  return <Card className="selection-bar">{children}</Card>
}
