/** Requests to show a window, by a launch, a link or a click, that arrive before one can be shown. */
interface PendingOpens {
  /** Records a request; the last named page wins. */
  note(page?: string): void
  isThere(): boolean
  page(): string | undefined
}

/** Remembers launches, links and clicks during startup until a window can be shown. */
export function createPendingOpenRequests(): PendingOpens {
  let isThere = false
  let page: string | undefined
  return {
    note(named) {
      isThere = true
      page = named ?? page
    },
    isThere: () => isThere,
    page: () => page,
  }
}
