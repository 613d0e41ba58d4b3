/** Holds promises back until a test releases them; open at first. */
export interface Gate {
  /** How many promises have reached it so far. */
  readonly arrived: number
  close(): void
  open(): void
  /** Resolves at once while it is open, but never synchronously. */
  pass(): Promise<void>
}

export function aGate(): Gate {
  let waiting: (() => void)[] | undefined
  let arrived = 0
  return {
    get arrived() {
      return arrived
    },
    close() {
      waiting ??= []
    },
    open() {
      for (const go of waiting?.splice(0) ?? []) go()
      waiting = undefined
    },
    pass() {
      arrived += 1
      return new Promise((resolve) => {
        if (waiting) waiting.push(resolve)
        else setImmediate(resolve)
      })
    },
  }
}
