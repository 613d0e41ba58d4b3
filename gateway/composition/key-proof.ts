import type { Clock } from '../base/clock.ts'
import type { Logger } from '../base/log/logger.ts'
import type { Vault } from '../base/secrets/ciphers.ts'
import { sealAtStart } from '../channels/registry/sealed-columns.ts'
import { isProvenKey } from '../store/proven-key.ts'
import type { Store } from '../store/store.ts'

const LOOK_AGAIN_MS = 5000

type SealedDataDeps = Readonly<{ store: Store; vault: Vault; clock: Pick<Clock, 'monotonic'>; log: Logger }>

/**
 * Seals what an older release left in clear, if this gateway has the right key. Returns a function that checks whether
 * the data can be opened with this gateway's key; while it cannot, the gateway is not ready for requests
 * (docs/operations.md#health). Data that is entered again with this key is noticed within seconds.
 */
export async function openSealedData({ store, vault, clock, log }: SealedDataDeps): Promise<() => boolean> {
  const { db } = store
  const { keyId } = vault
  let isProven = await isProvenKey(db, keyId)
  if (isProven) await sealAtStart({ store, vault, log })
  let lookedMs = clock.monotonic()
  if (!isProven)
    log.error('the data is sealed with another data key; this gateway is not ready for requests', { keyId })
  const look = () =>
    isProvenKey(db, keyId).then(
      (found) => {
        isProven = found
      },
      () => {},
    )
  return () => {
    if (!isProven && clock.monotonic() - lookedMs >= LOOK_AGAIN_MS) {
      lookedMs = clock.monotonic()
      void look()
    }
    return isProven
  }
}
