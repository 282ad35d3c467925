/** ECMA-48: CSI, the string sequences (OSC, DCS, SOS, PM, APC) with their end, and the short escapes. */
const SEQUENCES =
  // oxlint-disable-next-line no-control-regex -- control characters are what it is for
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*[0-~]/gu;

/** All C0 and C1 characters and DEL, but tab and line feed. */
// oxlint-disable-next-line no-control-regex -- as above
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/gu;

/** Text as it reads on a page: no colours, no cursor moves, no titles. A carriage return is a line end. */
export function stripControlSequences(text: string): string {
  return text.replaceAll(SEQUENCES, '').replaceAll(/\r\n?/gu, '\n').replaceAll(CONTROLS, '');
}
