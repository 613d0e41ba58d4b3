/**
 * The response envelope of `/api` calls (docs/reference/api.md#envelope). Refusals are HTTP 200 with `success:
 * false`, except for missing authentication (401).
 */
export type Envelope<T> = Readonly<{ success: boolean; message: string; data?: T }>
