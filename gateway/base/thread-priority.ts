import { setPriority } from 'node:os'

/**
 * Puts the calling thread below the one that relays, by steps of the system's niceness. Linux alone has a priority for each
 * thread; elsewhere this would slow the whole process down, so nothing happens there.
 */
export function stepBack(niceness: number): void {
  try {
    if (process.platform === 'linux') setPriority(niceness)
  } catch {
    // Where the system forbids it, both threads have the same.
  }
}
