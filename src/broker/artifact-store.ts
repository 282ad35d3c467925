import type { ToolFile } from '../core/artifact.ts';

/** A stored file. `id` carries 128 random bits or more, so it cannot be guessed. */
export interface StoredArtifact {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  readonly mediaType: string;
  readonly sizeBytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
  readonly expiresAt: Date;
}

/**
 * Keeps files for their owner until they expire, or until room is needed: then the oldest go first.
 * A lost store rejects with OVERLOADED.
 */
export interface ArtifactStore {
  /** Rejects with PAYLOAD_TOO_LARGE when one file is larger than the whole store. */
  put(owner: string, file: ToolFile): Promise<StoredArtifact>;
  /** Undefined for unknown, expired and not this owner's alike. */
  find(owner: string, id: string): Promise<StoredArtifact | undefined>;
  /** Bytes `start` to `end`, both inclusive; undefined as with `find`. */
  read(owner: string, id: string, range: { start: number; end: number }): Promise<Uint8Array | undefined>;
}
