/** What an English mail says, without the breaks that its transport has put into lines. */
export const mailText = (mail = ''): string => mail.replace(/=\r?\n/g, '').replaceAll('=3D', '=')
