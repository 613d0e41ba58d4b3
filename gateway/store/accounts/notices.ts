import type { Db } from '../sqlite/database.ts'

/** Limits one type of notice to an account to `max` per `seconds`. */
export type NoticeWindow = Readonly<{ userId: number; type: string; max: number; seconds: number }>

/** `until` (unix seconds) is the end of the window; `isFull` if the window allows no further notice of this type. */
export type NoticeTarget = Readonly<{ isGranted: boolean; isFull: boolean; until: number }>

/**
 * The `notices` table: recent notices per account and type (docs/reference/limits.md#notices). A window starts with its
 * first notice; concurrent callers are granted at most `max` in total.
 */
export const noticeStore = (db: Db) => ({
  /** Counts a notice if the window allows one more. */
  async take({ userId, type, max, seconds }: NoticeWindow, nowSeconds: number): Promise<NoticeTarget> {
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

  removeEnded: (nowSeconds: number) => db.deleteFrom('notices').where('until', '<=', nowSeconds).execute(),
})
