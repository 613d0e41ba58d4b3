/**
 * Says that an open page asks by itself rather than somebody who does something: of all calls that may be made, such have a part
 * (docs/reference/limits.md#console-rates).
 */
export const POLL_HEADER = 'X-Switchyard-Poll'
