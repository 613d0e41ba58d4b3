/** The text of an English mail, without the line breaks of its transfer encoding. */
export const mailText = (mail = ''): string => mail.replace(/=\r?\n/g, '').replaceAll('=3D', '=')
