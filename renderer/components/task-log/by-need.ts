import type { Column } from '../page-table/page-table.tsx'

/** Moves the columns with these ids to the front, for views that cannot show all at once. */
export function byNeed<Row>(columns: readonly Column<Row>[], first: readonly string[]): readonly Column<Row>[] {
  const rankOf = ({ id }: Column<Row>) => (first.includes(id) ? first.indexOf(id) : first.length)
  return columns.toSorted((one, other) => rankOf(one) - rankOf(other))
}
