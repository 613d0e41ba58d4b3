import type { Page } from '../../api/use-page.ts'

/** Which rows of how many a page shows; `10,000+` where nobody has counted further. */
export type PageRange = Readonly<{ from: number; to: number; total: string; isLast: boolean }>

/** The range of a page; a list that was not counted to its end goes on as long as it says so. */
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
