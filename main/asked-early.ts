/** What a launch, a link or a click has asked for while there was no window that could show it. */
interface AskedEarly {
  /** Notes it; a page that was named stays until another one is. */
  note(page?: string): void
  /** Whether anything was asked for. */
  isThere(): boolean
  /** The page that was named last. */
  page(): string | undefined
}

/** A person who starts the program by a link, or once more while it starts, is not forgotten until it can show something. */
export function createAskedEarly(): AskedEarly {
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
