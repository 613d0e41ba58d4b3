import type { Column } from '../page-table/page-table.tsx'

/** The columns with those of these ids in front: what is looked for first, where not all can be seen at once. */
export function byNeed<Row>(columns: readonly Column<Row>[], first: readonly string[]): readonly Column<Row>[] {
  const rankOf = ({ id }: Column<Row>) => (first.includes(id) ? first.indexOf(id) : first.length)
  return columns.toSorted((one, other) => rankOf(one) - rankOf(other))
}
