import { channelsOf, type Row } from './row.ts'

/** The names of the selected channels of this page; an ellipsis replaces the rest. */
export function ChosenNames({ rows, ids }: Readonly<{ rows: readonly Row[]; ids: readonly number[] }>) {
  const names = rows.flatMap(channelsOf).flatMap(({ id, name }) => (ids.includes(id) ? [name] : []))
  return (
    <p>
      {names.slice(0, max).join(', ')}
      {ids.length > Math.min(names.length, max) && ' …'}
    </p>
  )
}

const max = 20
