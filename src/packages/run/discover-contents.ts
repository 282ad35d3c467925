import { quote } from '../../core/quote.ts';
import { PREBUILT_MANIFEST, type PackageFile, type PrebuiltManifest } from '../contract.ts';
import { listContents } from '../list-contents.ts';

/** The first file of a package that is not as its manifest has it. */
export async function findContentFault(
  directory: string,
  manifest: PrebuiltManifest,
): Promise<{ readonly path: string; readonly message: string } | undefined> {
  let found: readonly PackageFile[];
  try {
    found = await listContents(directory);
  } catch (error) {
    return { path: '', message: error instanceof Error ? error.message : 'its files cannot be read' };
  }
  const present = new Map(found.map((file) => [file.path, file]));
  present.delete(PREBUILT_MANIFEST);
  for (const expected of manifest.contents) {
    const file = present.get(expected.path);
    if (file === undefined) return { path: expected.path, message: `${quote(expected.path)} is missing` };
    if (!isSame(file, expected)) {
      return { path: expected.path, message: `${quote(expected.path)} differs from what was built` };
    }
    present.delete(expected.path);
  }
  const [extra] = present.keys();
  return extra === undefined
    ? undefined
    : { path: extra, message: `${quote(extra)} was not there when it was built` };
}

function isSame(a: PackageFile, b: PackageFile): boolean {
  if ('link_to' in a || 'link_to' in b) return 'link_to' in a && 'link_to' in b && a.link_to === b.link_to;
  return a.sha256 === b.sha256 && a.size_bytes === b.size_bytes && a.executable === b.executable;
}
