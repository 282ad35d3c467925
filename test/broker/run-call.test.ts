import { describe, expect, it } from 'vitest';

import { BrokerError } from '../../src/core/broker-error.ts';
import { makeBroker, makeRequest } from '../support/calls.ts';
import { makeCatalog, makeTool } from '../support/tools.ts';

async function refusalOf(call: Promise<unknown>): Promise<BrokerError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof BrokerError) return error;
  throw new Error('it was not refused');
}

describe('one call', () => {
  it('answers with the output and writes one audit line', async () => {
    const catalog = makeCatalog([makeTool()]);
    const { broker, audited } = makeBroker(catalog);
    const outcome = await broker.invoke(makeRequest(catalog));
    expect(outcome).toMatchObject({ ok: true, ref: 'echo@1', output: { text: 'hi' }, delivery: 'inline' });
    expect(audited).toHaveLength(1);
    expect(audited[0]).toMatchObject({
      invocation_id: outcome.invocationId,
      request_id: 'req-1',
      caller: 'tester',
      ref: 'echo@1',
      origin: 'builtin',
      policy_revision: '0123456789abcdef',
      argument_bytes: 13,
      result_bytes: 13,
      artifact_bytes: 0,
      outcome: 'OK',
    });
  });

  it('never lets an argument value into the audit line', async () => {
    const catalog = makeCatalog([makeTool()]);
    const { broker, audited } = makeBroker(catalog);
    await broker.invoke(makeRequest(catalog, { arguments: { text: 's3kr' } }));
    await broker.invoke(makeRequest(catalog, { arguments: { text: 's3kr-too-long' } })).catch(() => {});
    expect(audited).toHaveLength(2);
    expect(JSON.stringify(audited)).not.toContain('s3kr');
  });

  it('goes resolve, decide, validate, admit, execute, check, lift, record: the earliest fault is the one that is told', async () => {
    const steps: string[] = [];
    const tool = makeTool(
      { produces: ['text/plain'] },
      {
        check: () => {
          steps.push('validate');
          return [];
        },
        execute: async () => {
          steps.push('execute');
          return {
            status: 'ok',
            output: {},
            file: { name: 'a.txt', mediaType: 'text/plain', bytes: Buffer.from('x') },
          };
        },
      },
    );
    const real = makeCatalog([tool]);
    const catalog = {
      ...real,
      resolve: (ref: string) => {
        steps.push('resolve');
        return real.resolve(ref);
      },
    };
    const { broker } = makeBroker(catalog, {
      audit: () => void steps.push('record'),
      artifacts: {
        put: async (owner, file) => {
          steps.push('lift');
          return {
            id: 'x',
            owner,
            name: file.name,
            mediaType: file.mediaType,
            sizeBytes: 1,
            sha256: '',
            expiresAt: new Date(),
          };
        },
        find: async () => undefined,
        read: async () => undefined,
        drop: async () => {},
      },
    });
    const negotiate = (): 'inline' => {
      steps.push('decide');
      return 'inline';
    };
    await broker.invoke(makeRequest(catalog, { negotiate }));
    expect(steps).toEqual(['resolve', 'decide', 'validate', 'execute', 'lift', 'record']);
  });

  it('gives unknown, unapproved and refused one and the same answer, before it looks at the arguments', async () => {
    const secret = makeTool({ name: 'secret' });
    const catalog = makeCatalog([makeTool(), secret], ['echo@1', 'secret@1']);
    const { broker } = makeBroker(catalog);
    const grant = { approved: new Set(['echo@1']) };
    const ask = async (ref: string): Promise<unknown> => {
      const error = await broker.invoke(makeRequest(catalog, { ref, grant, arguments: 7 })).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (!(error instanceof BrokerError)) throw new Error('no refusal');
      const { invocationId: _id, ...facts } = error.facts;
      return [error.code, error.message.replace(ref, '…'), facts];
    };
    expect(await ask('secret')).toEqual(await ask('nowise'));
    expect(await ask('secret@1')).toEqual(await ask('nowise@1'));
    expect(JSON.stringify(await ask('nowise'))).not.toContain('secret');
  });

  it('says every fault of the arguments at once and runs nothing', async () => {
    let ran = false;
    const catalog = makeCatalog([
      makeTool(
        {},
        {
          execute: async () => {
            ran = true;
            return { status: 'ok', output: {} };
          },
        },
      ),
    ]);
    const { broker, audited } = makeBroker(catalog);
    const refused = broker.invoke(makeRequest(catalog, { arguments: { text: 'too long', more: 1 } }));
    const error = await refusalOf(refused);
    expect([error.code, error.facts.ref]).toEqual(['INVALID_INPUT', 'echo@1']);
    expect(error.facts.details?.map((fault) => fault.path).toSorted()).toEqual(['/more', '/text']);
    expect(error.facts.invocationId).toBe(audited[0]?.invocation_id);
    expect(ran).toBe(false);
    expect(audited[0]).toMatchObject({ outcome: 'INVALID_INPUT', ref: 'echo@1' });
  });

  it("puts the tool's own sentence first and the schema's faults into the details", async () => {
    const catalog = makeCatalog([
      makeTool({}, { check: () => [{ path: '/text', message: 'text is dull' }] }),
    ]);
    const { broker } = makeBroker(catalog);
    const refused = broker.invoke(makeRequest(catalog, { arguments: { text: 5 } }));
    const error = await refusalOf(refused);
    expect(error.message).toBe('text is dull');
    expect(error.facts.details?.[0]?.message).toContain('string');
  });

  it.each([[[]], ['text'], [5], [true]])('refuses arguments that are no object: %j', async (value) => {
    const catalog = makeCatalog([makeTool()]);
    const { broker } = makeBroker(catalog);
    await expect(broker.invoke(makeRequest(catalog, { arguments: value }))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  it('takes absent arguments for {}', async () => {
    const catalog = makeCatalog([makeTool({ inputSchema: { type: 'object' } })]);
    const { broker } = makeBroker(catalog);
    expect(await broker.invoke(makeRequest(catalog, { arguments: undefined }))).toMatchObject({ ok: true });
  });

  it('takes arguments of exactly the limit and refuses one byte more', async () => {
    const catalog = makeCatalog([makeTool({ inputSchema: { type: 'object' } })]);
    const { broker } = makeBroker(catalog);
    const sized = (bytes: number): InstanceType<typeof Object> => ({ t: 'x'.repeat(bytes - 8) });
    await expect(
      broker.invoke(makeRequest(catalog, { arguments: sized(1_000) as never })),
    ).resolves.toMatchObject({ ok: true });
    await expect(
      broker.invoke(makeRequest(catalog, { arguments: sized(1_001) as never })),
    ).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
    });
  });

  it('passes a throw on as it is, so that it becomes INTERNAL, and records it', async () => {
    const catalog = makeCatalog([
      makeTool(
        {},
        {
          execute: async () => {
            throw new Error('inside');
          },
        },
      ),
    ]);
    const { broker, audited } = makeBroker(catalog);
    await expect(broker.invoke(makeRequest(catalog))).rejects.toThrow('inside');
    expect(audited[0]?.outcome).toBe('INTERNAL');
    expect(broker.load().inline.running).toBe(0);
  });
});
