import { createHash } from 'node:crypto';

import type { CatalogEntry } from '../../catalog/entry.ts';
import type { ToolFile } from '../../core/artifact.ts';
import { decodeBase64 } from '../../core/base64.ts';
import { BrokerError, type Fault } from '../../core/broker-error.ts';
import { ownerOf, type Owner } from '../../core/caller.ts';
import { findFileNameFault, isMediaType } from '../../core/file-name.ts';
import { quote } from '../../core/quote.ts';
import type { ArtifactStore } from '../artifact-store.ts';
import type { Call } from '../call.ts';
import type { RequestFile } from '../invocation.ts';

const MAX_FILES = 64;
const PLAIN_BYTES = 'application/octet-stream';

/**
 * The last part of validate: the files of the request as bytes, whether they came with it or lie in the store.
 * Throws INVALID_INPUT with every file that is wrong, PAYLOAD_TOO_LARGE for all together, and the one NOT_FOUND
 * for an artifact that is unknown, expired or somebody else's.
 */
export async function gatherFiles(
  call: Call,
  entry: CatalogEntry,
  artifacts: ArtifactStore,
): Promise<ToolFile[]> {
  const wanted = call.request.files ?? [];
  if (wanted.length === 0) return [];
  if (entry.spec.takesFiles !== true) throw takesNone(entry);
  const faults = [...findNameFaults(wanted), ...wanted.flatMap(findContentFaults)];
  if (wanted.length > MAX_FILES)
    faults.push({ path: '/files', message: `has ${wanted.length} files; at most ${MAX_FILES}` });
  if (faults.length > 0) throw wrong(faults, entry);
  const owner = ownerOf(call.request.caller);
  const files: ToolFile[] = [];
  let left = entry.limits.maxArtifactBytes;
  for (const file of wanted) {
    const loaded = await loadFile(file, { owner, artifacts, left });
    if (loaded === undefined) throw tooLarge(entry);
    left -= loaded.bytes.byteLength;
    files.push(loaded);
  }
  return files;
}

/** One digest over names and bytes, for telling two calls apart. */
export function hashFiles(files: readonly ToolFile[]): string {
  const parts = files.map(({ name, bytes }) => [name, createHash('sha256').update(bytes).digest('hex')]);
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function findNameFaults(files: readonly RequestFile[]): Fault[] {
  const seen = new Set<string>();
  return files.flatMap(({ name }, index) => {
    const key = name.normalize('NFC').toLowerCase();
    const why = findFileNameFault(name) ?? (seen.has(key) ? 'stands twice' : undefined);
    seen.add(key);
    return why === undefined ? [] : [{ path: `/files/${index}/name`, message: `${quote(name)} ${why}` }];
  });
}

function findContentFaults(file: RequestFile, index: number): Fault[] {
  if ('artifactId' in file) return [];
  const faults: Fault[] = [];
  if (decodeBase64(file.base64) === undefined) {
    faults.push({ path: `/files/${index}/base64`, message: 'is not padded base64 without white space' });
  }
  if (file.mediaType !== undefined && !isMediaType(file.mediaType)) {
    faults.push({
      path: `/files/${index}/media_type`,
      message: `${quote(file.mediaType)} is not type/subtype`,
    });
  }
  return faults;
}

/** Undefined when it is larger than what is left. */
async function loadFile(
  file: RequestFile,
  { owner, artifacts, left }: { owner: Owner; artifacts: ArtifactStore; left: number },
): Promise<ToolFile | undefined> {
  if (!('artifactId' in file)) {
    const bytes = decodeBase64(file.base64) ?? new Uint8Array(0);
    return bytes.byteLength > left
      ? undefined
      : { name: file.name, mediaType: file.mediaType ?? PLAIN_BYTES, bytes };
  }
  const stored = await artifacts.find(owner, file.artifactId);
  if (stored === undefined) throw noArtifact();
  if (stored.sizeBytes > left) return undefined;
  const end = stored.sizeBytes - 1;
  const bytes = end < 0 ? new Uint8Array(0) : await artifacts.read(owner, stored.id, { start: 0, end });
  if (bytes === undefined) throw noArtifact();
  return { name: file.name, mediaType: stored.mediaType, bytes };
}

function takesNone(entry: CatalogEntry): BrokerError {
  return new BrokerError('INVALID_INPUT', `files: ${entry.spec.name} takes no files.`, {
    ref: entry.ref,
    resolution: 'Leave `files` out, or call a tool whose description has `takes_files: true`.',
    details: [{ path: '/files', message: 'is not taken by this tool' }],
  });
}

function wrong(faults: readonly Fault[], entry: CatalogEntry): BrokerError {
  const [first] = faults;
  const message = `${first?.path.slice(1).replaceAll('/', '.')} ${first?.message}.`;
  return new BrokerError('INVALID_INPUT', message, {
    ref: entry.ref,
    expectedFormat: '{name, base64, media_type?} or {name, artifact_id}, names bare and no two alike',
    details: faults,
  });
}

function tooLarge(entry: CatalogEntry): BrokerError {
  const limit = entry.limits.maxArtifactBytes;
  return new BrokerError('PAYLOAD_TOO_LARGE', `The files are larger than ${limit} bytes together.`, {
    ref: entry.ref,
    resolution: `Send files of at most ${limit} bytes in all.`,
  });
}

function noArtifact(): BrokerError {
  return new BrokerError('NOT_FOUND', 'There is no such artifact for you, or it has expired.', {
    resolution: 'Upload it with POST /v1/artifacts, or use the artifact_id of an answer before it expires.',
  });
}
