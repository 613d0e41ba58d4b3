/** Something that wants to know how late it is, every second. */
export type Timed = Readonly<{ tick(nowMs: number): void }>
