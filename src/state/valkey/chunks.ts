/** Larger files are cut, so that no single command holds the store up. The same on every broker of one store. */
export const CHUNK_BYTES = 256 * 1_024;

/** On their way at once, for one file. */
export const CHUNKS_AT_ONCE = 8;
