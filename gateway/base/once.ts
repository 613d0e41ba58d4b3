/** Work that is done at the first call; every further one gets what that has begun. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () => {
    running ??= work()
    return running
  }
}
