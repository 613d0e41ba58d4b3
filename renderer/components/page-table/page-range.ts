import type { Page } from '../../api/use-page.ts'

/** The range of rows a page shows; the total is `10,000+` if it was not counted further. */
type PageRange = Readonly<{ from: number; to: number; total: string; isLast: boolean }>

/** The range of a page; a list with `isMore` is never at its end. */
export function pageRange({ index, size, total, isMore, rows }: PageRangeOf): PageRange {
  const from = index * size + 1
  if (!isMore) {
    const to = Math.min((index + 1) * size, total)
    return { from, to, total: total.toLocaleString('en'), isLast: to >= total }
  }
  const to = index * size + rows.length
  return { from, to, total: `${Math.max(total, to).toLocaleString('en')}+`, isLast: false }
}

type PageRangeOf = Pick<Page<unknown>, 'index' | 'size' | 'total' | 'isMore' | 'rows'>
