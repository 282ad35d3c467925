import type { ToolFile } from '../core/artifact.ts';
import type { Owner } from '../core/caller.ts';

/** A stored file. `id` carries 128 random bits or more, so it cannot be guessed. */
export interface StoredArtifact {
  readonly id: string;
  readonly owner: Owner;
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
  put(owner: Owner, file: ToolFile, ttlMs: number): Promise<StoredArtifact>;
  /** Undefined for unknown, expired and not this owner's alike. A caller may read what its runs own, not the other way. */
  find(owner: Owner, id: string): Promise<StoredArtifact | undefined>;
  /** Bytes `start` to `end`, both inclusive; undefined as with `find`. */
  read(owner: Owner, id: string, range: { start: number; end: number }): Promise<Uint8Array | undefined>;
  /** Lets go of all that a run owns. */
  drop(run: Required<Owner>): Promise<void>;
}
