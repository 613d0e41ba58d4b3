import './band.css'
import { RowTag } from '../row-tag.tsx'
import { type BandSteps, bandOf } from './bands.ts'

type BandProps = Readonly<{
  value: number
  steps: BandSteps
  format: (value: number) => string
}>

export function Band({ value, steps, format }: BandProps) {
  return (
    <RowTag className="band tabular" data-band={bandOf(value, steps)}>
      {format(value)}
    </RowTag>
  )
}
