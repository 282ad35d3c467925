import type { JsonObject } from '../core/json.ts';
import { quote } from '../core/quote.ts';
import type { Lane } from '../core/tool.ts';
import { bindFileName } from './bind-file-name.ts';
import type { HandlerTable } from './handlers/handler-table.ts';
import type { Render } from './handlers/handler.ts';
import type { FileSet } from './read-file-set.ts';
import type { SkillNote } from './skill-fault.ts';
import { TOOL_FILE, type OutputJson } from './tool-json.ts';

export interface OutputSource {
  readonly files: FileSet['files'];
  readonly handlers: HandlerTable;
  readonly inputSchema: JsonObject;
  readonly noteAt: (pointer: string, message: string) => SkillNote;
  /** Where this output stands in tool.json. */
  readonly pointer: string;
  /** Where its handler is named. */
  readonly handlerPointer: string;
}

export interface BoundOutput {
  readonly mediaType: string;
  readonly lane: Lane;
  readonly nameFor: (args: JsonObject) => string;
  readonly render: Render;
}

export type OutputBinding =
  | { readonly ok: true; readonly output: BoundOutput }
  /** An unknown handler is a matter of integrity, everything else one of format. */
  | { readonly ok: false; readonly faults: readonly SkillNote[]; readonly isUnknownHandler: boolean };

/** One output of a skill: its handler, its template and its file name, all checked. */
export function bindOutput(output: OutputJson, source: OutputSource): OutputBinding {
  const { handlers, noteAt, pointer, inputSchema } = source;
  const handler = handlers.get(output.handler);
  if (handler === undefined) {
    const known = [...handlers.keys()].toSorted().join(', ');
    const message = `names the handler ${quote(output.handler)}, which does not exist. Known: ${known}.`;
    return { ok: false, faults: [noteAt(source.handlerPointer, message)], isUnknownHandler: true };
  }
  const faults: SkillNote[] = [];
  if (!handler.mediaTypes.includes(output.media_type)) {
    const message = `${quote(output.media_type)} is not what ${output.handler} makes: ${handler.mediaTypes.join(', ')}.`;
    faults.push(noteAt(`${pointer}/media_type`, message));
  }
  const fileName = bindFileName(output.file_name, TOOL_FILE, inputSchema);
  if (!fileName.ok)
    faults.push(...fileName.faults.map(({ message }) => noteAt(`${pointer}/file_name`, message)));
  const template = source.files.find(({ path }) => path === output.template);
  if (template === undefined) {
    faults.push(noteAt(`${pointer}/template`, `${quote(output.template)} is not a file of this skill.`));
    return { ok: false, faults, isUnknownHandler: false };
  }
  const bound = handler.bind({
    file: template.path,
    bytes: template.bytes,
    inputSchema,
    language: output.language ?? 'en',
  });
  if (!bound.ok) faults.push(...bound.faults);
  if (!bound.ok || !fileName.ok || faults.length > 0) return { ok: false, faults, isUnknownHandler: false };
  const { media_type: mediaType } = output;
  return {
    ok: true,
    output: { mediaType, lane: handler.lane, nameFor: fileName.nameFor, render: bound.render },
  };
}
