/**
 * Marks an automatic request of an open page; such requests may use only part of the rate limit
 * (docs/reference/limits.md#console-rates).
 */
export const POLL_HEADER = 'X-Switchyard-Poll'
