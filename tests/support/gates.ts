/** Holds promises back until a test lets them go; open at first. */
export interface Gate {
  /** How many have come to it so far. */
  readonly arrived: number
  close(): void
  open(): void
  /** Resolves at once while it is open, though never in the same turn. */
  pass(): Promise<void>
}

/** A gate that stands open. */
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
