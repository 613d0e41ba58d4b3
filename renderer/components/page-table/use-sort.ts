import { useMemo, useState } from 'react'
import type { Column } from './list-view.ts'

/** How the rows are sorted: by which column, and which way. */
type Order = Readonly<{ id: string; isFalling: boolean }>

/** What a heading says about itself to screen readers. */
type Direction = 'ascending' | 'descending' | 'none'

/** The rows in the order that was last asked for; `turn` goes from rising to falling and back to how they came. */
export function useSort<Row>(columns: readonly Column<Row>[], rows: readonly Row[]) {
  const [order, setOrder] = useState<Order>()
  const sorted = useMemo(() => {
    const sort = columns.find(({ id }) => id === order?.id)?.sort
    if (!order || !sort) return rows
    return rows.toSorted((one, other) => (order.isFalling ? sort(other, one) : sort(one, other)))
  }, [columns, rows, order])
  const directionOf = (id: string): Direction => {
    if (order?.id !== id) return 'none'
    return order.isFalling ? 'descending' : 'ascending'
  }
  const turn = (id: string) => {
    if (order?.id !== id) return setOrder({ id, isFalling: false })
    return setOrder(order.isFalling ? undefined : { id, isFalling: true })
  }
  return { sorted, directionOf, turn }
}
