/** A file that a tool made, as bytes. */
export interface ToolFile {
  /** A bare file name: no separators, no control characters, never `.` or `..`. */
  readonly name: string;
  /** `type/subtype`, without parameters. */
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** The envelope of design section 2, exactly these four keys; `base64` is left out when the file is linked. */
export interface Artifact {
  readonly name: string;
  readonly media_type: string;
  readonly base64?: string;
  /** Length of the decoded bytes. */
  readonly size_bytes: number;
}

export function toArtifact(file: ToolFile, inline: boolean): Artifact {
  return {
    name: file.name,
    media_type: file.mediaType,
    ...(inline
      ? {
          base64: Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength).toString(
            'base64',
          ),
        }
      : {}),
    size_bytes: file.bytes.byteLength,
  };
}
