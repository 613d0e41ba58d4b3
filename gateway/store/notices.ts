import type { Db } from './database.ts'

/** One thing that an account is told of, and how often within how long. */
export type NoticeWindow = Readonly<{ userId: number; type: string; max: number; seconds: number }>

/** `until`, in unix seconds, is when the window ends; `isFull` that nothing more of this fits into it. */
export type NoticePlace = Readonly<{ isGranted: boolean; isFull: boolean; until: number }>

/**
 * The `notices` table: how often accounts were told of something lately (docs/reference/limits.md#notices). A window begins
 * with its first notice; of several who ask at once no more than `most` are granted.
 */
export const noticeStore = (db: Db) => ({
  /** Counts a notice where there is room for one. */
  async take({ userId, type, max, seconds }: NoticeWindow, nowSeconds: number): Promise<NoticePlace> {
    const taken = await db
      .insertInto('notices')
      .values({ user_id: userId, type, sent: 1, until: nowSeconds + seconds })
      .onConflict((row) =>
        row
          .columns(['user_id', 'type'])
          .doUpdateSet(({ eb, ref }) => {
            const isOver = eb('notices.until', '<=', nowSeconds)
            return {
              sent: eb
                .case()
                .when(isOver)
                .then(1)
                .else(eb('notices.sent', '+', 1))
                .end(),
              until: eb.case().when(isOver).then(ref('excluded.until')).else(ref('notices.until')).end(),
            }
          })
          .where(({ eb, or }) => or([eb('notices.until', '<=', nowSeconds), eb('notices.sent', '<', max)])),
      )
      .returning(['sent', 'until'])
      .executeTakeFirst()
    if (taken) return { isGranted: true, isFull: taken.sent >= max, until: taken.until }
    const full = await db
      .selectFrom('notices')
      .select('until')
      .where('user_id', '=', userId)
      .where('type', '=', type)
      .executeTakeFirst()
    return { isGranted: false, isFull: true, until: full?.until ?? nowSeconds }
  },

  /** Forgets what no longer counts. */
  removeEnded: (nowSeconds: number) => db.deleteFrom('notices').where('until', '<=', nowSeconds).execute(),
})
