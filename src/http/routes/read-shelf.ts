import { isThirdParty } from '../../core/tool.ts';
import type { Shelf, ShelfEntry, ShelfSkill } from '../../core/shelf.ts';
import { fenceThirdParty } from '../../describe/fence-third-party.ts';
import { chooseRepresentation } from '../choose-representation.ts';
import type { HttpDeps } from '../deps.ts';
import { fileHeaders } from '../file-headers.ts';
import { identityOf, type HttpServer } from '../http-server.ts';
import { notOnShelf, visibleShelf } from '../visible-shelf.ts';
import { jsonAnswer } from '../wire/answer-examples.ts';
import { errorResponses } from '../wire/error-responses.ts';
import {
  SkillFileQuerySchema,
  SkillParamsSchema,
  type SkillFileQuery,
  type SkillParams,
} from '../wire/skill.ts';
import { NoQuerySchema } from '../wire/tool.ts';

const MARKDOWN = 'text/markdown';

const listSchema = {
  operationId: 'skills.list',
  tags: ['Skills'],
  summary: 'List the methodology skills that you may read',
  description: 'They are texts for a model that say how to do something. 404 when there are none for you.',
  querystring: NoQuerySchema,
  response: {
    200: { description: 'The shelf.', content: jsonAnswer('SkillList') },
    ...errorResponses('NOT_FOUND', 'OVERLOADED'),
  },
};

const readSchema = {
  operationId: 'skills.read',
  tags: ['Skills'],
  summary: 'Read one methodology skill',
  description: '`Accept: text/markdown` gives the body alone; the words of third parties are fenced in it.',
  params: SkillParamsSchema,
  querystring: NoQuerySchema,
  response: {
    200: {
      description: 'The skill.',
      content: { ...jsonAnswer('Skill'), [MARKDOWN]: { schema: { type: 'string' } } },
    },
    ...errorResponses('NOT_FOUND', 'NOT_ACCEPTABLE', 'URI_TOO_LONG', 'OVERLOADED'),
  },
};

const fileSchema = {
  operationId: 'skills.readFile',
  tags: ['Skills'],
  summary: 'Download one file of a methodology skill',
  params: SkillParamsSchema,
  querystring: SkillFileQuerySchema,
  response: {
    200: {
      description: 'The bytes, as a download.',
      content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
    },
    ...errorResponses('NOT_FOUND', 'URI_TOO_LONG', 'OVERLOADED'),
  },
};

export function addReadShelf(app: HttpServer, { catalog }: HttpDeps): void {
  app.get('/v1/skills', { schema: listSchema }, async (request) => {
    const entries = visibleShelf(catalog, identityOf(request).grant).list();
    if (entries.length === 0) throw notOnShelf('skill', '', []);
    return { skills: entries.map(toEntry) };
  });
  app.get<{ Params: SkillParams }>('/v1/skills/:name', { schema: readSchema }, async (request, reply) => {
    const skill = findSkill(visibleShelf(catalog, identityOf(request).grant), request.params.name);
    const wanted = chooseRepresentation(request.headers.accept, [MARKDOWN]);
    if (wanted !== MARKDOWN) return reply.send(toSkill(skill));
    const body = isThirdParty(skill.origin) ? fenceThirdParty(skill.body) : skill.body;
    return reply.type(`${MARKDOWN}; charset=utf-8`).send(body);
  });
  app.get<{ Params: SkillParams; Querystring: SkillFileQuery }>(
    '/v1/skills/:name/file',
    { schema: fileSchema },
    async (request, reply) => {
      const shelf = visibleShelf(catalog, identityOf(request).grant);
      const skill = findSkill(shelf, request.params.name);
      const { path } = request.query;
      const file = shelf.readFile(skill.name, path);
      if (file === undefined)
        throw notOnShelf(
          'file',
          path,
          skill.files.map((known) => known.path),
        );
      const name = path.slice(path.lastIndexOf('/') + 1);
      const { bytes } = file;
      return reply
        .headers(fileHeaders(name, file.mediaType, bytes))
        .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    },
  );
}

function findSkill(shelf: Shelf, name: string): ShelfSkill {
  const skill = shelf.read(name);
  if (skill !== undefined) return skill;
  throw notOnShelf(
    'skill',
    name,
    shelf.list().map((entry) => entry.name),
  );
}

function toEntry({ name, description, origin }: ShelfEntry): object {
  return { name, description, third_party: isThirdParty(origin) };
}

function toSkill(skill: ShelfSkill): object {
  const files = skill.files.map(({ path, sizeBytes, mediaType }) => ({
    path,
    size_bytes: sizeBytes,
    media_type: mediaType,
  }));
  return { ...toEntry(skill), body: skill.body, files };
}
