import './band.css'
import { Tag } from '@blueprintjs/core'
import { type BandSteps, bandOf } from './bands.ts'

type BandProps = Readonly<{
  value: number
  steps: BandSteps
  format: (value: number) => string
}>

export function Band({ value, steps, format }: BandProps) {
  return (
    <Tag minimal className="band tabular" data-band={bandOf(value, steps)}>
      {format(value)}
    </Tag>
  )
}
