import { Card, Classes } from '@blueprintjs/core'
import type { ReactNode } from 'react'

/** A named figure; an undefined `value` is loading and takes the same space. */
export type Figure = Readonly<{
  id: string
  title: string
  value: ReactNode | undefined
  hint?: string | undefined
  comparison?: ReactNode
  isBad?: boolean
}>

export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className="dash-figures">
      {figures.map(({ id, title, value, hint, comparison, isBad }) => (
        <Card key={id} compact className="dash-figure">
          <dt className={Classes.TEXT_MUTED}>{title}</dt>
          <dd
            className={`tabular ${isBad ? 'dash-bad' : ''} ${value === undefined ? Classes.SKELETON : ''}`}
            title={hint}
          >
            {value ?? '0'}
          </dd>
          {comparison !== undefined && (
            <dd className={`dash-comparison tabular ${value === undefined ? Classes.SKELETON : Classes.TEXT_MUTED}`}>
              {value === undefined ? '0' : comparison}
            </dd>
          )}
        </Card>
      ))}
    </dl>
  )
}
