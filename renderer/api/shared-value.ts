import { useSyncExternalStore } from 'react'

type SharedValue<T> = Readonly<{ get: () => T; set: (value: T) => void; use: () => T }>

export function createSharedValue<T>(initial: T): SharedValue<T> {
  const listeners = new Set<() => void>()
  let value = initial
  const get = () => value
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  return {
    get,
    set(next) {
      value = next
      for (const listener of listeners) listener()
    },
    use: () => useSyncExternalStore(subscribe, get),
  }
}
