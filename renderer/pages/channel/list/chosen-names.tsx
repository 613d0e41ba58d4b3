import { channelsOf, type Row } from './row.ts'

/** What an action will be done to: the chosen channels of this page by name; an ellipsis stands for more. */
export function ChosenNames({ rows, ids }: Readonly<{ rows: readonly Row[]; ids: readonly number[] }>) {
  const names = rows.flatMap(channelsOf).flatMap(({ id, name }) => (ids.includes(id) ? [name] : []))
  return (
    <p>
      {names.slice(0, max).join(', ')}
      {ids.length > Math.min(names.length, max) && ' …'}
    </p>
  )
}

/** As many names as a question can hold. */
const max = 20
